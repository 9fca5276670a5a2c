/* SPDX-License-Identifier: MIT */
/* Events that stay open: what an object of opened events is made of. */
#ifndef PQ_OPEN_KEPT_H
#define PQ_OPEN_KEPT_H

#include "open/open.h"

/* A group, or an event alone, in all its places. */
struct pq_kept {
	size_t n, n_places;
	bool is_inherited; /* by children of its task */
	size_t first_sum;  /* the leader's, of the object's sums */
	int *fds;	   /* place by place, n in each, the leader's first */
	uint64_t *ids;
	int *cpus;		/* of each place; -1: any */
	struct pq_times *zeros; /* what each stood at when it was last set to zero */
	int answer;		/* of the last reading of all: 0 or -errno … */
	size_t bad_place;	/* … and where */
};

struct pq_kept_index {
	size_t set; /* SIZE_MAX: not open */
	size_t member;
};

struct pmuq_opened {
	struct pq_kernel kernel;
	struct pmuq_verdicts *verdicts;
	struct pq_kept *sets;
	struct pq_kept_index *index; /* of each request */
	struct pq_group_times *room; /* for the largest group */
	struct pmuq_reading *sums;   /* for all that is open */
	size_t n, n_sets;
};

/*
 * Opens all that can be opened, and keeps it, disabled.
 *
 * Returns 0, also when the kernel refuses, or -PMUQ_E_MEMORY.
 */
int pq_keep_requests(const struct pq_opener *opener, const struct pq_request *requests, size_t n,
		     struct pmuq_opened **ret, struct pmuq_error **reterr);
void pq_openedp_free(struct pmuq_opened **opened);

/* The set that the request is in; NULL: it is not open. */
const struct pq_kept *pq_kept_of(const struct pmuq_opened *opened, size_t index);
int pq_opened_fail(int errnum, const char *what, struct pmuq_error **reterr);
/* Whatever the members of the set stand at in that place is zero from now on: 0 or -errno. */
int pq_kept_zero(const struct pmuq_opened *opened, const struct pq_kept *kept, size_t place);

#endif
