/* SPDX-License-Identifier: MIT */
/*
 * A set of ids of rows, a bit for each. As a parameter it replaces a subquery of thousands of rows:
 * in a search of SQLite, pmuq_has(TABLE, IDS, id) looks an id up (sqlite/functions.c). A list of
 * ids is stored as bytes: in ascending order, each as its difference from the one before, seven
 * bits in a byte, the lowest first; the highest bit is set in all bytes but the last of each.
 */
#pragma once

#include "core/buf.h"
#include "core/error.h"

/* SQLite gives the next free id to a new row: a table with such an id has had that many rows. */
#define PQ_ID_MAX (INT64_C(1) << 29)

struct pq_ids {
	uint64_t *words; /* in the arena; bit 0 of the first word is for id 0, which no row has */
	size_t n_words;
};

/* Appends an id, greater than the one before, to bytes. */
void pq_ids_write(struct pq_buf *bytes, int64_t before, int64_t id);
/* Adds the ids of such bytes. 0, -PMUQ_E_MEMORY, or -PMUQ_E_STORE_CORRUPT if pq_ids_write() cannot
 * have written them, or if one is greater than PQ_ID_MAX. */
int pq_ids_read(struct pq_arena *arena, struct pq_ids *ids, struct pmuq_str bytes);

static inline bool pq_ids_has(const struct pq_ids *ids, int64_t id)
{
	uint64_t word = (uint64_t)id / 64;

	return word < ids->n_words && ids->words[word] >> id % 64 & 1;
}
