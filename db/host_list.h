/* SPDX-License-Identifier: MIT */
/*
 * The list of what the store holds, as hosts_read.c fills it, hosts_kinds.c orders it by kinds, and
 * hosts.c tells it.
 */
#ifndef PQ_HOSTS_H
#define PQ_HOSTS_H

#include "core/catalog/intern.h"
#include "db/statement.h"

#define PQ_HOSTS_MAX_BYTES ((size_t)1 << 30)

/* Facts that machines share, read once for all that have them. */
struct pq_listed_facts {
	int64_t id;
	const struct pq_pair *v;
	size_t n;
};

struct pq_listed_snapshot {
	int64_t number, first_seen, last_seen;
	int64_t kind, answers; /* ids; 0: none */
	const struct pq_listed_facts *facts;
};

struct pq_listed_host {
	int64_t id;
	struct pmuq_str name, machine_id; /* .p NULL: not known */
	size_t from, n;			  /* its snapshots */
	size_t n_kept;			  /* how many the store has */
	size_t kind, check; /* of the newest: which of the kinds, and which of its checks */
};

struct pq_listed_check {
	int64_t answers;
	size_t host; /* one that has it */
};

struct pq_listed_kind {
	int64_t id;
	struct pmuq_str name;
	size_t from, n; /* of `by_kind` */
	size_t first_check, n_checks;
};

struct pmuq_hosts {
	struct pq_arena arena; /* the texts */
	struct pq_listed_host *hosts;
	struct pq_listed_snapshot *snapshots;
	struct pq_listed_kind *kinds; /* the one with most hosts first */
	struct pq_listed_check *checks;
	size_t *by_kind; /* hosts, by kind and then by name */
	size_t *matched; /* for each glob, how many hosts */
	size_t n_hosts, n_snapshots, n_kinds, n_checks, n_globs;
	struct pq_intern facts; /* struct pq_listed_facts by id */
};

/* Makes room for one more in a vector that doubles; NULL when out of memory (what was there
 * stays). */
void *pq_hosts_grow(void *v, size_t n, size_t each_bytes);

/* hosts_read.c: within a transaction. */
int pq_hosts_read(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
		  struct pmuq_hosts *ret, struct pmuq_error **reterr);
/* hosts_kinds.c: the same. */
int pq_hosts_find_kinds(struct pmuq_store *store, struct pmuq_hosts *hosts,
			struct pmuq_error **reterr);

#endif
