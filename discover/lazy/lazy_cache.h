/* SPDX-License-Identifier: MIT */
/*
 * What a lazy source has learnt: (owner, kind, name) → an answer, NULL for "it is not there".
 * Entries are never dropped, so that equal questions get equal pointers.
 */
#ifndef PQ_CACHE_H
#define PQ_CACHE_H

#include "core/arena.h"

enum pq_asked {
	PQ_ASKED_PMU,
	PQ_ASKED_ALIAS,
	PQ_ASKED_FORMAT,
	PQ_ASKED_EVENT, /* a file, by its exact name */
	PQ_ASKED_CAP,
	PQ_ASKED_HAVING, /* the PMUs that have an event */
	PQ_ASKED_TRACEPOINT,
	PQ_ASKED_SUBSYSTEM,
	PQ_ASKED_NODE, /* of a tree in memory (memory.h) */
};

struct pq_cache_entry {
	struct pmuq_str name;
	const void *owner;
	void *answer;
	enum pq_asked kind;
	uint64_t hash;
};

struct pq_cache {
	struct pq_arena *arena; /* holds the names */
	struct pq_cache_entry *v;
	size_t n, room;
};

void pq_cache_free(struct pq_cache *cache);
/* False when that has not been asked yet. */
bool pq_cache_find(const struct pq_cache *cache, const void *owner, enum pq_asked kind,
		   struct pmuq_str name, void **ret);
/* Makes room for n more at once. False when out of memory. */
bool pq_cache_reserve(struct pq_cache *cache, size_t n);
/* Only for a name in the arena, and for what is not there yet. False when out of memory. */
bool pq_cache_keep(struct pq_cache *cache, const void *owner, enum pq_asked kind,
		   struct pmuq_str name, void *answer);
/* The same, and copies the name. */
bool pq_cache_add(struct pq_cache *cache, const void *owner, enum pq_asked kind,
		  struct pmuq_str name, void *answer);

#endif
