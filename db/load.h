/* SPDX-License-Identifier: MIT */
/*
 * A snapshot on its way out of the store, row by row into a builder. Every content must still have
 * the hash under which it was kept: an encoding from a rotten file would be a wrong one.
 */
#ifndef PQ_LOAD_H
#define PQ_LOAD_H

#include "core/catalog/intern.h"
#include "db/statement.h"

/* A definition, a set of attributes or a reply in memory, to be read once however many have it. */
struct pq_kept {
	int64_t id;
	struct pq_hash hash;
	struct pq_def def; /* without its maps */
	const struct pmuq_pair *attributes;
	size_t n_attributes;
	struct pmuq_open_result reply;
};

struct pq_loading {
	struct pmuq_store *store;
	struct pq_builder *builder;
	struct pq_arena arena;
	struct pmuq_str kernel;				   /* the fact; .p NULL: there is none */
	struct pq_intern definitions, attributes, replies; /* struct pq_kept by id */
};

/* Of a loading's arena: as the catalog's own cap. */
#define PQ_LOAD_MAX_BYTES ((size_t)256 << 20)

const struct pq_kept *pq_load_find_kept(const struct pq_intern *set, int64_t id);
/* A new one, filled but for its content. */
int pq_load_keep(struct pq_loading *loading, struct pq_intern *set, enum pq_sql hash_of, int64_t id,
		 struct pq_kept **ret, struct pmuq_error **reterr);

int pq_load_definition(struct pq_loading *loading, int64_t id, const struct pq_kept **ret,
		       struct pmuq_error **reterr);
int pq_load_attributes(struct pq_loading *loading, int64_t id, const struct pq_kept **ret,
		       struct pmuq_error **reterr);
/* The check of a snapshot; PQ_NONE when it was not checked. */
int pq_load_check_of(struct pq_loading *loading, int64_t snapshot, struct pmuq_str kernel,
		     struct pmuq_check **ret, struct pmuq_error **reterr);
/* The hash that the store has for a content. */
int pq_load_hash(struct pmuq_store *store, enum pq_sql which, int64_t id, struct pq_hash *ret,
		 struct pmuq_error **reterr);
/* Fails unless both are the same; else forwards the hash. */
int pq_load_check(struct pmuq_store *store, const struct pq_hash *kept, const struct pq_hash *found,
		  struct pmuq_error **reterr);

#endif
