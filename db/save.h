/* SPDX-License-Identifier: MIT */
/*
 * A catalog on its way into the store: measure.c names its contents by their hashes, save_sets.c
 * adds those that the store does not have, save.c does the rest.
 */
#ifndef PQ_SAVE_H
#define PQ_SAVE_H

#include "core/intern.h"
#include "db/bind.h"

/* A definition or a set of attributes: what the catalog shares by address is hashed and looked up
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
	struct pq_hash snapshot; /* all of it, but for the texts of passing facts */
};

int pq_measure(const struct pmuq_catalog *catalog, struct pq_measured *ret,
	       struct pmuq_error **reterr);
void pq_measured_free(struct pq_measured *measured);

struct pq_set_ids {
	int64_t layout, facts, tracepoints, problems;
};

int pq_save_sets(struct pmuq_store *store, const struct pmuq_catalog *catalog,
		 const struct pq_measured *measured, struct pq_set_ids *ret,
		 struct pmuq_error **reterr);

#endif
