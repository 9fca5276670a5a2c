/* SPDX-License-Identifier: MIT */
/*
 * A set of ids of rows. As a parameter it replaces a subquery of thousands of rows: in a search of
 * SQLite, pmuq_has(TABLE, IDS, id) looks an id up (sqlite/functions.c). A list of ids is stored as
 * bytes: in ascending order, each as its difference from the one before, seven bits in a byte, the
 * lowest first; the highest bit is set in all bytes but the last of each.
 */
#pragma once

#include "core/buf.h"
#include "core/error.h"
#include "core/vec.h"

struct pq_ids {
	PQ_VEC(int64_t); /* in the arena */
	int64_t *slots;	 /* the table of pq_ids_index(); 0 is free */
	size_t mask;
};

/* Appends an id, greater than the one before, to bytes. */
void pq_ids_write(struct pq_buf *bytes, int64_t before, int64_t id);
/* Adds the ids of such bytes. 0, -PMUQ_E_MEMORY, or -PMUQ_E_STORE_CORRUPT if pq_ids_write() cannot
 * have written them. */
int pq_ids_read(struct pq_arena *arena, struct pq_ids *ids, struct pmuq_str bytes);
/* After the last pq_ids_read(): prepares look-ups. False if there is no memory. */
bool pq_ids_index(struct pq_arena *arena, struct pq_ids *ids);

/* The slot of that id, or the free slot for it. */
static inline int64_t *pq_ids_slot(const struct pq_ids *ids, int64_t id)
{
	size_t at = (uint64_t)id * 0x9e3779b97f4a7c15u >> 32 & ids->mask;

	while (ids->slots[at] && ids->slots[at] != id)
		at = (at + 1) & ids->mask;
	return &ids->slots[at];
}

static inline bool pq_ids_has(const struct pq_ids *ids, int64_t id)
{
	return *pq_ids_slot(ids, id);
}
