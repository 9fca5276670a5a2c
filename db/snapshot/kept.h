/* SPDX-License-Identifier: MIT */
/*
 * Machines that a store has read lately, for hosts that share them: there are far fewer machines
 * than hosts. They are found by the hashes of their contents, which were verified when they were
 * read, so it does not matter what happened to the database since.
 */
#pragma once

#include "db/snapshot/snapshot.h"

/* Without the facts of a host. */
struct pq_kept_machine {
	struct pq_hash layout, fact_set, tracepoint_set, problem_set;
	struct pmuq_catalog *catalog;
	/* Of a machine that was checked: the hash of the results, and the number of events. */
	struct pq_hash check_set;
	int64_t total;
	struct pmuq_check *check; /* NULL: none */
};

/* The machine whose four hashes are those of `wanted`, with the check of `wanted` if one is kept
 * with it; NULL: none. Valid until the next one is added. */
const struct pq_kept_machine *pq_kept_find(const struct pmuq_store *store,
					   const struct pq_kept_machine *wanted);
/* Whether its check, or that it has none, is that of the other. */
bool pq_kept_has_check_of(const struct pq_kept_machine *kept,
			  const struct pq_kept_machine *wanted);
/* Adds references to its catalog and its check; drops the oldest machine if there are too many.
 * Without memory nothing is kept. */
void pq_kept_add(struct pmuq_store *store, const struct pq_kept_machine *machine);
