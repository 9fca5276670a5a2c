/* SPDX-License-Identifier: MIT */
/* A hash table with open addressing and linear probing. */
#include "discover/cache.h"

#define START_CAPACITY 64u

void pq_cache_free(struct pq_cache *cache)
{
	free(cache->v);
	cache->v = NULL;
	cache->n = cache->capacity = 0;
}

/* Two queries of one name must not collide, so the owner is mixed in; low bits of a pointer are
 * always 0. */
static uint32_t hash_of(const void *owner, enum pq_cache_key key, struct pmuq_str name)
{
	uint64_t hash = str_hash(name) ^ ((uint64_t)(uintptr_t)owner >> 4) * 0x9e3779b97f4a7c15u;

	return (uint32_t)hash >> 4 | (uint32_t)key << 28;
}

/* The entry, or the free slot for it. */
static struct pq_cache_entry *find(const struct pq_cache *cache, uint32_t hash, const void *owner,
				   struct pmuq_str name)
{
	size_t at = hash & (cache->capacity - 1);

	for (; cache->v[at].name; at = (at + 1) & (cache->capacity - 1)) {
		struct pq_cache_entry *entry = &cache->v[at];

		if (entry->hash == hash && entry->owner == owner && entry->name_bytes == name.n &&
		    bytes_eq(entry->name, name.p, name.n))
			break;
	}
	return &cache->v[at];
}

bool pq_cache_find(const struct pq_cache *cache, const void *owner, enum pq_cache_key key,
		   struct pmuq_str name, void **ret)
{
	const struct pq_cache_entry *entry;

	if (!cache->n)
		return false;
	entry = find(cache, hash_of(owner, key, name), owner, name);
	if (!entry->name)
		return false;
	*ret = entry->object;
	return true;
}

static bool grow(struct pq_cache *cache, size_t capacity)
{
	struct pq_cache larger = { .capacity = capacity };

	larger.v = calloc(larger.capacity, sizeof(*larger.v));
	if (!larger.v)
		return false;
	for (size_t i = 0; i < cache->capacity; i++) {
		const struct pq_cache_entry *entry = &cache->v[i];
		struct pmuq_str name = { .p = entry->name, .n = entry->name_bytes };

		if (name.p)
			*find(&larger, entry->hash, entry->owner, name) = *entry;
	}
	free(cache->v);
	cache->v = larger.v;
	cache->capacity = larger.capacity;
	return true;
}

/* At least a third of the table stays free. */
bool pq_cache_reserve(struct pq_cache *cache, size_t n)
{
	size_t capacity = cache->capacity ? cache->capacity : START_CAPACITY;

	if (n > SIZE_MAX / sizeof(*cache->v) / 4 - cache->n)
		return false;
	while ((cache->n + n) * 3 > capacity * 2)
		capacity *= 2;
	return capacity == cache->capacity || grow(cache, capacity);
}

bool pq_cache_keep(struct pq_cache *cache, const void *owner, enum pq_cache_key key,
		   struct pmuq_str name, void *object)
{
	struct pq_cache_entry entry = {
		.name = name.p,
		.owner = owner,
		.object = object,
		.name_bytes = (uint32_t)name.n,
		.hash = hash_of(owner, key, name),
	};

	if (!pq_cache_reserve(cache, 1))
		return false;
	*find(cache, entry.hash, owner, name) = entry;
	cache->n++;
	return true;
}

bool pq_cache_add(struct pq_cache *cache, const void *owner, enum pq_cache_key key,
		  struct pmuq_str name, void *object)
{
	struct pmuq_str kept = pq_arena_str(cache->arena, name);

	return kept.p && pq_cache_keep(cache, owner, key, kept, object);
}
