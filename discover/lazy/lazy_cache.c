/* SPDX-License-Identifier: MIT */
#include "discover/lazy/lazy_cache.h"

#define START_ROOM 64u

void pq_cache_free(struct pq_cache *cache)
{
	free(cache->v);
	cache->v = NULL;
	cache->n = cache->room = 0;
}

static uint64_t hash_of(const void *owner, enum pq_asked kind, struct pmuq_str name)
{
	return str_hash(name) ^ ((uint64_t)(uintptr_t)owner >> 4) * 0x9e3779b97f4a7c15u ^
	       (uint64_t)kind * 0xff51afd7ed558ccdu;
}

/* The entry, or the free one where it would go. */
static struct pq_cache_entry *find(const struct pq_cache *cache, uint64_t hash, const void *owner,
				   enum pq_asked kind, struct pmuq_str name)
{
	size_t at = hash & (cache->room - 1);

	for (; cache->v[at].name.p; at = (at + 1) & (cache->room - 1)) {
		struct pq_cache_entry *entry = &cache->v[at];

		if (entry->hash == hash && entry->owner == owner && entry->kind == kind &&
		    str_eq(entry->name, name))
			break;
	}
	return &cache->v[at];
}

bool pq_cache_find(const struct pq_cache *cache, const void *owner, enum pq_asked kind,
		   struct pmuq_str name, void **ret)
{
	const struct pq_cache_entry *entry;

	if (!cache->n)
		return false;
	entry = find(cache, hash_of(owner, kind, name), owner, kind, name);
	if (!entry->name.p)
		return false;
	*ret = entry->answer;
	return true;
}

static bool grow(struct pq_cache *cache, size_t room)
{
	struct pq_cache larger = { .room = room };

	larger.v = calloc(larger.room, sizeof(*larger.v));
	if (!larger.v)
		return false;
	for (size_t i = 0; i < cache->room; i++) {
		const struct pq_cache_entry *entry = &cache->v[i];

		if (entry->name.p)
			*find(&larger, entry->hash, entry->owner, entry->kind, entry->name) =
				*entry;
	}
	free(cache->v);
	cache->v = larger.v;
	cache->room = larger.room;
	return true;
}

/* At least a third of the table stays free. */
bool pq_cache_reserve(struct pq_cache *cache, size_t n)
{
	size_t room = cache->room ? cache->room : START_ROOM;

	if (n > SIZE_MAX / sizeof(*cache->v) / 4 - cache->n)
		return false;
	while ((cache->n + n) * 3 > room * 2)
		room *= 2;
	return room == cache->room || grow(cache, room);
}

bool pq_cache_keep(struct pq_cache *cache, const void *owner, enum pq_asked kind,
		   struct pmuq_str name, void *answer)
{
	struct pq_cache_entry entry = {
		.name = name,
		.owner = owner,
		.answer = answer,
		.kind = kind,
		.hash = hash_of(owner, kind, name),
	};

	if (!pq_cache_reserve(cache, 1))
		return false;
	*find(cache, entry.hash, owner, kind, name) = entry;
	cache->n++;
	return true;
}

bool pq_cache_add(struct pq_cache *cache, const void *owner, enum pq_asked kind,
		  struct pmuq_str name, void *answer)
{
	struct pmuq_str kept = pq_arena_str(cache->arena, name);

	return kept.p && pq_cache_keep(cache, owner, kind, kept, answer);
}
