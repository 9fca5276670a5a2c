/* SPDX-License-Identifier: MIT */
#include "core/map.h"

static const struct str *name_at(const void *array, size_t each_bytes, size_t index)
{
	return (const struct str *)((const char *)array + index * each_bytes);
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

/* The slot that holds the name, or the free one where it would go. */
static uint32_t *find_slot(const struct pq_map *map, const void *array, size_t each_bytes,
			   struct str name)
{
	size_t at = str_hash(name) & map->mask;

	while (map->slots[at] && !str_eq(*name_at(array, each_bytes, map->slots[at] - 1), name))
		at = (at + 1) & map->mask;
	return &map->slots[at];
}

bool pq_map_add(struct pq_map *map, const void *array, size_t each_bytes, size_t index)
{
	uint32_t *slot = find_slot(map, array, each_bytes, *name_at(array, each_bytes, index));

	if (*slot)
		return false;
	*slot = (uint32_t)index + 1;
	return true;
}

const void *pq_map_find(const struct pq_map *map, const void *array, size_t each_bytes,
			struct str name)
{
	uint32_t slot;

	if (!map->slots)
		return NULL;
	slot = *find_slot(map, array, each_bytes, name);
	return slot ? name_at(array, each_bytes, slot - 1) : NULL;
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
