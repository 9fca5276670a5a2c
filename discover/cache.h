/* SPDX-License-Identifier: MIT */
/*
 * A map from (owner, key, name) to an object, or to NULL for an object that does not exist. A lazy
 * source stores in it what it has read, a tree in memory its nodes. Entries are never removed, so
 * that equal queries get equal pointers. The caller owns the objects; the cache frees its table
 * only.
 */
#pragma once

#include "core/arena.h"

/* The key, one of 16 at most, decides the type of the object. The owner of formats, events and caps
 * is their PMU, that of a node is its directory, and NULL that of all others. */
enum pq_cache_key {
	PQ_CACHED_PMU,	      /* struct pq_lazy_pmu */
	PQ_CACHED_ALIAS,      /* the same */
	PQ_CACHED_FORMAT,     /* struct pmuq_format */
	PQ_CACHED_EVENT,      /* struct pmuq_event: a file, by its exact name */
	PQ_CACHED_CAP,	      /* struct pmuq_pair */
	PQ_CACHED_HAVING,     /* struct pq_pmu_list: the PMUs that have an event of that name */
	PQ_CACHED_TRACEPOINT, /* struct pmuq_tracepoint, by "subsystem/name" */
	PQ_CACHED_SUBSYSTEM,  /* struct pq_entries: its tracepoints; of "", the subsystems */
	PQ_CACHED_NODE,	      /* struct pq_inode: a file of a tree in memory (files/memory.h) */
};

struct pq_cache_entry {
	const char *name;  /* NULL: the entry is free */
	const void *owner; /* compared as an address, and never read */
	void *object;
	uint32_t name_bytes;
	uint32_t hash; /* its highest four bits are the key */
};

struct pq_cache {
	struct pq_arena *arena; /* holds the names */
	struct pq_cache_entry *v;
	size_t n, capacity; /* the capacity is 0 or a power of 2 */
};

void pq_cache_free(struct pq_cache *cache);
/* False if the cache has no entry, not even one with NULL. */
bool pq_cache_find(const struct pq_cache *cache, const void *owner, enum pq_cache_key key,
		   struct pmuq_str name, void **ret);
/* Allocates memory for n more entries. False if out of memory. */
bool pq_cache_reserve(struct pq_cache *cache, size_t n);
/* Adds an entry that does not exist yet; the name must live in the arena. False if out of
 * memory. */
bool pq_cache_keep(struct pq_cache *cache, const void *owner, enum pq_cache_key key,
		   struct pmuq_str name, void *object);
/* The same, with a copy of the name. */
bool pq_cache_add(struct pq_cache *cache, const void *owner, enum pq_cache_key key,
		  struct pmuq_str name, void *object);
