/* SPDX-License-Identifier: MIT */
/*
 * The list of what the store holds: list_read.c reads the hosts and snapshots, list_classes.c
 * groups the hosts by class and check, host_list.c is the API.
 */
#pragma once

#include "core/vec.h"
#include "db/content/content.h"

/* Hosts whose newest snapshots are equal in this have the same results. */
struct pq_class_and_check {
	int64_t class_id;
	int64_t check_set; /* 0: not checked */
};

/* In both, `record` is what the API returns. */
struct pq_listed_snapshot {
	struct pmuq_snapshot record;
	struct pq_class_and_check of;
	struct pq_ref facts;
};

struct pq_listed_host {
	int64_t id;
	struct pmuq_host record;
	size_t first_snapshot;
};

struct pmuq_hosts {
	struct pq_arena arena;		     /* memory of everything else */
	PQ_VEC(struct pq_listed_host) hosts; /* by id */
	struct pq_listed_host **by_name;     /* those that the list has */
	size_t n;
	PQ_VEC(struct pq_listed_snapshot) snapshots;
	PQ_VEC(struct pmuq_host_class) classes; /* the one with the most hosts first */
	size_t *by_class;			/* hosts, by class and then by name */
	size_t *check_hosts; /* where its hosts are, a class has a host for each of its checks */
	size_t *matched;     /* for each glob, how many hosts */
	size_t n_globs;
	struct pq_contents facts; /* that snapshots share; after the transaction only their texts
				   * are used */
};

/* Both in a transaction, in this order. `ret` is zeroed, with an arena; the caller frees it, also
 * after an error. */
void pq_hosts_read(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
		   struct pmuq_hosts *ret);
void pq_hosts_find_classes(struct pmuq_store *store, struct pmuq_hosts *hosts);
