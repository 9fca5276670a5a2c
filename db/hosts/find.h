/* SPDX-License-Identifier: MIT */
/* Hosts by name and snapshots by number, and errors with what there is instead. */
#ifndef PQ_FIND_H
#define PQ_FIND_H

#include "db/sqlite/statement.h"

/* PQ_NONE if there is no such host. */
int pq_store_find_host(struct pmuq_store *store, struct pmuq_str name, int64_t *ret,
		       struct pmuq_error **reterr);
/* The snapshot of a host with that number, or (0) its newest; fails if there is none. */
int pq_store_find_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t number,
			   int64_t *ret, struct pmuq_error **reterr);

int pq_store_fail_unknown_host(struct pmuq_store *store, struct pmuq_str name,
			       struct pmuq_error **reterr);
int pq_store_fail_unknown_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t host,
				   int64_t number, struct pmuq_error **reterr);

#endif
