/* SPDX-License-Identifier: MIT */
/*
 * A hash table over an array whose elements begin with their name (struct pmuq_str). It is built
 * once and then only read; of two elements with one name, the first is found.
 */
#ifndef PQ_MAP_H
#define PQ_MAP_H

#include "core/arena.h"

struct pq_map {
	uint32_t *slots; /* index + 1; 0 is free */
	size_t mask;
};

static inline const struct pmuq_str *pq_map_name(const void *array, size_t each_bytes, size_t index)
{
	return (const struct pmuq_str *)((const char *)array + index * each_bytes);
}

/* The slot of that name, or the free one where it belongs. */
static inline uint32_t *pq_map_slot(const struct pq_map *map, const void *array, size_t each_bytes,
				    struct pmuq_str name)
{
	size_t at = str_hash(name) & map->mask;

	while (map->slots[at] && !str_eq(*pq_map_name(array, each_bytes, map->slots[at] - 1), name))
		at = (at + 1) & map->mask;
	return &map->slots[at];
}

/* The entry of that name, or NULL. Inline, since an encoding is mostly look-ups. */
static inline const void *pq_map_find(const struct pq_map *map, const void *array,
				      size_t each_bytes, struct pmuq_str name)
{
	uint32_t slot;

	if (!map->slots)
		return NULL;
	slot = *pq_map_slot(map, array, each_bytes, name);
	return slot ? pq_map_name(array, each_bytes, slot - 1) : NULL;
}

/* An empty map for n entries. False when out of memory. */
bool pq_map_init(struct pq_arena *arena, size_t n, struct pq_map *ret);
/* Adds array[index]; false if it has that name already. */
bool pq_map_add(struct pq_map *map, const void *array, size_t each_bytes, size_t index);
/* Both steps for a whole array. */
bool pq_map_build(struct pq_arena *arena, const void *array, size_t each_bytes, size_t n,
		  struct pq_map *ret);

/* Sorts elements that begin with their name, in the order of str_cmp(); n may be 0. */
void pq_sort_by_name(void *array, size_t n, size_t each_bytes);
/* The element of that name in a sorted array, or NULL. */
const void *pq_find_by_name(const void *array, size_t n, size_t each_bytes, struct pmuq_str name);

#endif
