/* SPDX-License-Identifier: MIT */
/*
 * The list of what the store holds, as hosts_read.c fills it, hosts_classes.c orders it by classes,
 * and host_list.c returns it.
 */
#ifndef PQ_HOSTS_H
#define PQ_HOSTS_H

#include "core/catalog/intern.h"
#include "db/statement.h"

#define PQ_HOSTS_MAX_BYTES ((size_t)1 << 30)

/* Facts that machines share, read once for all that have them. */
struct pq_listed_facts {
	int64_t id;
	const struct pmuq_pair *v;
	size_t n;
};

struct pq_listed_snapshot {
	struct pmuq_snapshot record; /* first, as in all of these: what is handed out */
	int64_t kind, answers;	     /* ids; 0: none */
};

struct pq_listed_host {
	struct pmuq_host record;
	int64_t id;
	size_t from; /* its snapshots */
};

struct pq_listed_class {
	struct pmuq_host_class record; /* its pointers are set when all are known */
	int64_t id;
	size_t from, first_check; /* of `by_class` and `check_hosts` */
};

struct pmuq_hosts {
	struct pq_arena arena; /* the texts */
	struct pq_listed_host *hosts;
	struct pq_listed_snapshot *snapshots;
	struct pq_listed_class *classes; /* the one with most hosts first */
	size_t *check_hosts;		 /* of each class a host for each of its checks */
	size_t *by_class;		 /* hosts, by class and then by name */
	size_t *matched;		 /* for each glob, how many hosts */
	size_t n_hosts, n_snapshots, n_classes, n_checks, n_globs;
	struct pq_intern facts; /* struct pq_listed_facts by id */
};

/* Makes room for one more in a vector that doubles; NULL when out of memory (what was there
 * stays). */
void *pq_hosts_grow(void *v, size_t n, size_t each_bytes);

/* hosts_read.c: within a transaction. */
int pq_hosts_read(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
		  struct pmuq_hosts *ret, struct pmuq_error **reterr);
/* hosts_classes.c: the same. */
int pq_hosts_find_classes(struct pmuq_store *store, struct pmuq_hosts *hosts,
			  struct pmuq_error **reterr);

#endif
