/* SPDX-License-Identifier: MIT */
/*
 * A map from (owner, key, name) to an object, or to NULL for "there is no such thing". A lazy
 * source stores in it what it has read, a tree in memory its nodes. Entries are never removed, so
 * that equal queries get equal pointers.
 */
#pragma once

#include "core/arena.h"

enum pq_cache_key {
	PQ_CACHED_PMU,
	PQ_CACHED_ALIAS,
	PQ_CACHED_FORMAT,
	PQ_CACHED_EVENT, /* a file, by its exact name */
	PQ_CACHED_CAP,
	PQ_CACHED_HAVING, /* the PMUs that have an event of that name */
	PQ_CACHED_TRACEPOINT,
	PQ_CACHED_SUBSYSTEM,
	PQ_CACHED_NODE, /* a file of a tree in memory (files/memory.h) */
};

struct pq_cache_entry {
	struct pmuq_str name;
	const void *owner;
	void *object;
	enum pq_cache_key key;
	uint64_t hash;
};

struct pq_cache {
	struct pq_arena *arena; /* holds the names */
	struct pq_cache_entry *v;
	size_t n, capacity;
};

void pq_cache_free(struct pq_cache *cache);
/* False if the cache has no entry, not even one with NULL. */
bool pq_cache_find(const struct pq_cache *cache, const void *owner, enum pq_cache_key key,
		   struct pmuq_str name, void **ret);
/* Allocates memory for n more entries. False if out of memory. */
bool pq_cache_reserve(struct pq_cache *cache, size_t n);
/* Adds an entry that is not there yet; the name must live in the arena. False if out of memory. */
bool pq_cache_keep(struct pq_cache *cache, const void *owner, enum pq_cache_key key,
		   struct pmuq_str name, void *object);
/* The same, with a copy of the name. */
bool pq_cache_add(struct pq_cache *cache, const void *owner, enum pq_cache_key key,
		  struct pmuq_str name, void *object);
