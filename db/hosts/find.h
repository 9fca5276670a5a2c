/* SPDX-License-Identifier: MIT */
/* Hosts by name and snapshots by number, and errors with what there is instead. */
#pragma once

#include "db/sqlite/statement.h"

/* False if there is no such host, and after an error. */
bool pq_store_find_host(struct pmuq_store *store, struct pmuq_str name, int64_t *ret);
/* The same, but fails if there is no such host. */
int64_t pq_store_need_host(struct pmuq_store *store, struct pmuq_str name);
/* The snapshot of a host with that number, or (0) its newest; fails if there is none. */
int64_t pq_store_find_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t number);
/* The error for a snapshot that the host does not have. */
void pq_store_fail_unknown_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t host,
				    int64_t number);
