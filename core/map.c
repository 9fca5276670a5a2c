/* SPDX-License-Identifier: MIT */
#include "core/map.h"

static int compare_names(const void *a, const void *b)
{
	return str_cmp(*(const struct pmuq_str *)a, *(const struct pmuq_str *)b);
}

void pq_sort_by_name(void *array, size_t n, size_t each_bytes)
{
	if (n)
		qsort(array, n, each_bytes, compare_names);
}

const void *pq_find_by_name(const void *array, size_t n, size_t each_bytes, struct pmuq_str name)
{
	return n ? bsearch(&name, array, n, each_bytes, compare_names) : NULL;
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

bool pq_map_add(struct pq_map *map, const void *array, size_t each_bytes, size_t index)
{
	uint32_t *slot =
		pq_map_slot(map, array, each_bytes, *pq_map_name(array, each_bytes, index));

	if (*slot)
		return false;
	*slot = (uint32_t)index + 1;
	return true;
}

bool pq_map_build(struct pq_arena *arena, const void *array, size_t each_bytes, size_t n,
		  struct pq_map *ret)
{
	if (!pq_map_init(arena, n, ret))
		return false;
	for (size_t i = 0; i < n; i++)
		pq_map_add(ret, array, each_bytes, i);
	return true;
}
