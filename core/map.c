/* SPDX-License-Identifier: MIT */
/*
 * Building a hash table of names and looking them up, and binary search in a sorted array.
 */
#include "core/map.h"
#include <assert.h>

static int compare_first(const void *a, const void *b)
{
	return str_cmp(*(const struct pmuq_str *)a, *(const struct pmuq_str *)b);
}

/* The name follows the size of a record. */
static int compare_second(const void *a, const void *b)
{
	return compare_first((const size_t *)a + 1, (const size_t *)b + 1);
}

void pq_sort_by_name(void *array, size_t n, size_t each_bytes, size_t name_offset)
{
	assert(name_offset == 0 || name_offset == sizeof(size_t));
	if (n)
		qsort(array, n, each_bytes, name_offset ? compare_second : compare_first);
}

const void *pq_find_by_name(struct pq_named_array array, size_t n, struct pmuq_str name)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = (low + high) / 2;
		int r = str_cmp(pq_named_name(array, mid), name);

		if (r == 0)
			return pq_named_at(array, mid);
		if (r < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* One function for all tables, so that it stays in the cache: an encoding is mostly look-ups. */
__attribute__((noinline)) uint32_t *pq_map_slot(const struct pq_map *map,
						struct pq_named_array array, struct pmuq_str name)
{
	size_t at = str_hash(name) & map->mask;

	while (map->slots[at] && !str_eq(pq_named_name(array, map->slots[at] - 1), name))
		at = (at + 1) & map->mask;
	return &map->slots[at];
}

bool pq_map_init(struct pq_arena *arena, size_t n, struct pq_map *ret)
{
	size_t size = 4;

	while (size < n * 2)
		size *= 2;
	ret->slots = n < UINT32_MAX / 2 ? pq_arena_array(arena, size, sizeof(*ret->slots)) : NULL;
	ret->mask = size - 1;
	return ret->slots != NULL;
}

bool pq_map_add(struct pq_map *map, struct pq_named_array array, size_t index)
{
	uint32_t *slot = pq_map_slot(map, array, pq_named_name(array, index));

	if (*slot)
		return false;
	*slot = (uint32_t)index + 1;
	return true;
}

bool pq_map_build(struct pq_arena *arena, struct pq_named_array array, size_t n, struct pq_map *ret)
{
	if (!pq_map_init(arena, n, ret))
		return false;
	for (size_t i = 0; i < n; i++)
		pq_map_add(ret, array, i);
	return true;
}
