/* SPDX-License-Identifier: MIT */
/*
 * The object of events that stay open: sets of events, each with its descriptors. It is made in
 * three steps: pq_opened_new(), pq_opened_add() for each set, pq_opened_finish(). Reading uses its
 * buffers, so only one thread may read at a time.
 */
#pragma once

#include "open/event_set.h"

/* A group, or an event alone, on all of its targets. All memory is the object's. */
struct pq_opened_set {
	size_t n, n_targets;
	uint64_t read_format;
	bool is_inherited;	/* by children of its task */
	size_t first_sum;	/* of the leader, in the object's sums */
	int *fds;		/* target by target, n on each, the leader's first */
	uint64_t *ids;		/* PERF_EVENT_IOC_ID, as fds; 0: not known */
	int *cpus;		/* of each target; -1: any */
	struct pq_times *zeros; /* what each read when it was last reset */
	int errnum;		/* of the last pmuq_opened_read_all(); 0: no error … */
	size_t bad_target;	/* … and its location */
};

struct pq_opened_index {
	size_t set; /* SIZE_MAX: not open */
	size_t member;
};

struct pmuq_opened {
	struct pq_kernel kernel;
	struct pmuq_open_results *results;
	struct pq_arena arena;
	struct pq_opened_set *sets;
	struct pq_opened_index *indexes;     /* of each request */
	struct pmuq_attr *attrs;	     /* of each request that is open, as it is open */
	struct pq_group_times *group_buffer; /* for the largest group */
	struct pmuq_value *sums;	     /* of all open events */
	size_t n, n_sets;
};

/* NULL: out of memory. */
struct pmuq_opened *pq_opened_new(const struct pq_kernel *kernel, size_t n);
/* Takes ownership of the descriptors of an open set, whose memory is the object's: 0 or
 * -PMUQ_E_MEMORY. After 0, closing the set closes nothing; after a failure the descriptors still
 * belong to the set. */
int pq_opened_add(struct pmuq_opened *opened, struct pq_open_set *set);
/* Allocates what reading needs, so that reading allocates nothing. False: out of memory. */
bool pq_opened_finish(struct pmuq_opened *opened);

/* The set of the request; NULL: the request is not open. */
const struct pq_opened_set *pq_opened_set_of(const struct pmuq_opened *opened, size_t index);
/* Returns -PMUQ_E_EVENT_FAILED. `what` is a verb: "the kernel does not `enable` an opened event".
 */
int pq_opened_fail(int errnum, const char *what, struct pmuq_error **reterr);

/* opened_read.c: makes the set count from zero on that target: 0 or -errno. Call it directly after
 * the kernel reset the set: the values that it reads are subtracted later. */
int pq_opened_zero(const struct pmuq_opened *opened, const struct pq_opened_set *set,
		   size_t target);
