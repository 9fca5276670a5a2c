/* SPDX-License-Identifier: MIT */
/*
 * A catalog on its way into the store: measure.c names its contents by their hashes, save_sets.c
 * and save_check.c add those that the store does not have, save.c does the rest.
 */
#ifndef PQ_SAVE_H
#define PQ_SAVE_H

#include "core/catalog/intern.h"
#include "db/statement.h"

/* A definition, a set of attributes or a reply: what is shared by address is hashed and looked up
 * once. */
struct pq_shared {
	const void *address;
	struct pq_hash hash;
	int64_t id; /* in the store; 0: not looked up yet */
};

struct pq_measured {
	struct pq_arena arena;
	struct pq_intern by_address;
	struct pq_shared **definitions, **attributes; /* for each PMU */
	struct pq_hash layout, facts, tracepoints, problems;
	struct pq_hash snapshot; /* all of it, but for the texts of passing facts and the check */
	struct pq_shared **replies; /* for each answer of the check */
	struct pq_hash answers;
};

/* `check` may be NULL. */
int pq_measure(const struct pmuq_catalog *catalog, const struct pmuq_check *check,
	       struct pq_measured *ret, struct pmuq_error **reterr);
void pq_measured_free(struct pq_measured *measured);

struct pq_set_ids {
	int64_t layout, facts, tracepoints, problems;
};

/* The id of the content with that hash; PQ_NONE when the store has none. */
int pq_save_find(struct pmuq_store *store, enum pq_sql find, const struct pq_hash *hash,
		 int64_t *ret_id, struct pmuq_error **reterr);
/* The same: but PQ_NONE when it was added, still empty. */
int pq_save_find_or_add(struct pmuq_store *store, enum pq_sql find, enum pq_sql add,
			const struct pq_hash *hash, int64_t *ret_id, struct pmuq_error **reterr);

int pq_save_sets(struct pmuq_store *store, const struct pmuq_catalog *catalog,
		 const struct pq_measured *measured, struct pq_set_ids *ret,
		 struct pmuq_error **reterr);

/* kinds.c: which kind of machine a snapshot of these sets is of. */
#define PQ_KIND_MAX_BYTES ((size_t)16 << 20)
int pq_save_kind(struct pmuq_store *store, const struct pq_set_ids *ids, int64_t *ret,
		 struct pmuq_error **reterr);

/* The check as the snapshot's. One that was stopped does not take the place of a whole one: that
 * is told in *ret_has_old. */
int pq_save_check(struct pmuq_store *store, const struct pmuq_check *check,
		  const struct pq_measured *measured, int64_t snapshot, bool *ret_has_old,
		  struct pmuq_error **reterr);

#endif
