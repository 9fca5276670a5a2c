/* SPDX-License-Identifier: MIT */
/*
 * Memory by lifetime: an allocation lives until the whole arena is freed. The first block may
 * belong to the caller. A limit on the bytes protects the process from hostile input; beyond it, or
 * out of memory, every allocation returns NULL.
 */
#pragma once

#include "core/str.h"

struct pq_arena_block;

struct pq_arena {
	char *at, *end;
	struct pq_arena_block *blocks;
	size_t left_bytes;
	bool is_refused; /* no memory; if not set, a failure means the limit was reached */
};

/* An empty arena with that limit. */
#define PQ_ARENA(cap_bytes) ((struct pq_arena){ .left_bytes = (cap_bytes) })
#define auto_arena cleanup(pq_arena_clear)

/* An empty arena whose first block is the caller's: it must live as long as the arena. */
void pq_arena_init(struct pq_arena *arena, void *first, size_t first_bytes, size_t cap_bytes);
/* Frees every block but not the arena itself, which is then empty. Its limit becomes what was left
 * of it. */
void pq_arena_clear(struct pq_arena *arena);

void *pq_arena_slow(struct pq_arena *arena, size_t bytes);

#define PQ_ARENA_ALIGNMENT ((size_t)8)

/* Not zeroed; aligned for any type of pmuq's. */
static inline void *pq_arena_take(struct pq_arena *arena, size_t bytes)
{
	size_t need = (bytes + PQ_ARENA_ALIGNMENT - 1 + !bytes) & ~(PQ_ARENA_ALIGNMENT - 1);
	char *p = arena->at;

	if (need < bytes || (size_t)(arena->end - p) < need)
		return pq_arena_slow(arena, bytes);
	arena->at = p + need;
	return p;
}

/* For allocations that follow, of that many bytes together: one block, whose pages are populated. A
 * hint: without effect if it is little, or if there is no memory. */
void pq_arena_expect(struct pq_arena *arena, size_t bytes);
void *pq_arena_zero(struct pq_arena *arena, size_t bytes);
/* n elements of `each` bytes, zeroed; NULL also if the product overflows. */
void *pq_arena_array(struct pq_arena *arena, size_t n, size_t each);
/* A copy with a NUL after it (so .p is also a C string), unchanged or in lower case. .p is NULL on
 * failure. */
struct pmuq_str pq_arena_str(struct pq_arena *arena, struct pmuq_str s);
struct pmuq_str pq_arena_lower(struct pq_arena *arena, struct pmuq_str s);
/* Replaces the text by a copy; false on failure. */
bool pq_arena_keep(struct pq_arena *arena, struct pmuq_str *text);
