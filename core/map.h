/* SPDX-License-Identifier: MIT */
/*
 * A hash over an array of things that begin with their name (struct str). It is built once and then
 * only read; the first of two with one name wins.
 */
#ifndef PQ_MAP_H
#define PQ_MAP_H

#include "core/arena.h"

struct pq_map {
	uint32_t *slots; /* index + 1; 0 is free */
	size_t mask;
};

/* An empty map that has room for n entries. False when out of memory. */
bool pq_map_init(struct pq_arena *arena, size_t n, struct pq_map *ret);
/* Adds array[index]; false when that name is there already. */
bool pq_map_add(struct pq_map *map, const void *array, size_t each_bytes, size_t index);
/* The entry of that name, or NULL. */
const void *pq_map_find(const struct pq_map *map, const void *array, size_t each_bytes,
			struct str name);
/* Both steps for a whole array. */
bool pq_map_build(struct pq_arena *arena, const void *array, size_t each_bytes, size_t n,
		  struct pq_map *ret);

#endif
