/* SPDX-License-Identifier: MIT */
/*
 * A hash table over an array of structs by their names (struct pmuq_str). It is built once and then
 * only read. If two elements have one name, a look-up finds the first.
 */
#pragma once

#include "core/arena.h"

struct pq_map {
	uint32_t *slots; /* index + 1; 0 is free */
	size_t mask;
};

/* An array of structs, and the offset of the name in each. */
struct pq_named_array {
	const void *v;
	size_t each_bytes, name_offset;
};
#define PQ_NAMED(array, member)                                                                    \
	((struct pq_named_array){ .v = (array),                                                    \
				  .each_bytes = sizeof(*(array)),                                  \
				  .name_offset = offsetof(__typeof__(*(array)), member) })

static inline const void *pq_named_at(struct pq_named_array array, size_t index)
{
	return (const char *)array.v + index * array.each_bytes;
}

static inline struct pmuq_str pq_named_name(struct pq_named_array array, size_t index)
{
	return *(const struct pmuq_str *)((const char *)pq_named_at(array, index) +
					  array.name_offset);
}

/* The slot of that name, or the free slot for it. */
uint32_t *pq_map_slot(const struct pq_map *map, struct pq_named_array array, struct pmuq_str name);

/* The entry of that name, or NULL. */
static inline const void *pq_map_find(const struct pq_map *map, struct pq_named_array array,
				      struct pmuq_str name)
{
	uint32_t slot = map->slots ? *pq_map_slot(map, array, name) : 0;

	return slot ? pq_named_at(array, slot - 1) : NULL;
}

/* An empty map for n entries. False when out of memory. */
bool pq_map_init(struct pq_arena *arena, size_t n, struct pq_map *ret);
/* Adds the element of that index; false if the map has that name already. */
bool pq_map_add(struct pq_map *map, struct pq_named_array array, size_t index);
/* Both steps for a whole array. */
bool pq_map_build(struct pq_arena *arena, struct pq_named_array array, size_t n,
		  struct pq_map *ret);

/* Sorts an array in the order of str_cmp() of the names; n may be 0. */
#define PQ_SORT_BY_NAME(array, n, member)                                                          \
	pq_sort_by_name(array, n, sizeof(*(array)), offsetof(__typeof__(*(array)), member))
void pq_sort_by_name(void *array, size_t n, size_t each_bytes, size_t name_offset);
/* The element of that name in a sorted array, or NULL. */
const void *pq_find_by_name(struct pq_named_array array, size_t n, struct pmuq_str name);
