/* SPDX-License-Identifier: MIT */
/*
 * Stores equal strings, arrays of pairs and definitions of PMUs once, so that memory grows with
 * distinct content.
 */
#pragma once

#include "core/catalog/catalog.h"

struct pq_interned {
	uint64_t hash;
	void *object;
};

/* A set of objects by their hash; the caller decides equality. */
struct pq_intern {
	struct pq_interned *v;
	size_t n, capacity;
};

void pq_intern_free(struct pq_intern *set);
/* The next object with that hash from *at on, which advances; NULL if there are no more. */
void *pq_intern_next(const struct pq_intern *set, uint64_t hash, size_t *at);
/* The value of *at to begin a search with. */
size_t pq_intern_start(const struct pq_intern *set, uint64_t hash);
/* A unique hash of an address: an odd factor spreads the addresses, whose lowest bits are zero. */
static inline uint64_t pq_intern_key(const void *address)
{
	uint64_t key = (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u;

	return key ^ key >> 32;
}
/* The object with a unique hash, such as that of an address; NULL if there is none. */
void *pq_intern_get(const struct pq_intern *set, uint64_t hash);
bool pq_intern_add(struct pq_intern *set, uint64_t hash, void *object);

/* Sorts the arrays of a draft, and returns them as a definition without maps. */
struct pq_def pq_draft_content(struct pq_pmu_draft *draft);
/* The hash of a definition's arrays, and whether two have the same. */
uint64_t pq_def_hash(const struct pq_def *def);
bool pq_def_equals(const struct pq_def *a, const struct pq_def *b);
/* A copy in the arena, with maps; NULL when out of memory. */
struct pq_def *pq_def_copy(struct pq_arena *arena, const struct pq_def *def, uint64_t hash);

uint64_t pq_pairs_hash(const struct pmuq_pair *pairs, size_t n);
bool pq_pairs_equal(const struct pmuq_pair *a, const struct pmuq_pair *b, size_t n);
struct pmuq_pair *pq_pairs_copy(struct pq_arena *arena, const struct pmuq_pair *pairs, size_t n);
