/* SPDX-License-Identifier: MIT */
/* Events that are open at once, as one group, in all their places: opened, switched, read, closed.
 */
#ifndef PQ_OPEN_SET_H
#define PQ_OPEN_SET_H

#include "open/opening.h"

/* What the kernel said to one of them. */
struct pq_refusal {
	int answer; /* -errno; 0: all are open */
	size_t member;
	struct pq_trial trial;
	uint32_t kernel_size; /* of an attr, as said with E2BIG */
};

struct pq_set {
	struct pq_opening *opening;
	const size_t *indexes; /* of the requests, the leader's first */
	size_t n;
	uint64_t read_format; /* of each */
	struct pq_places places;
	int *fds; /* place by place, n in each */
	size_t n_fds;
	struct pq_refusal refusal;
};

/*
 * Opens all of them, in the places of `decider`: 0, or -PMUQ_E_MEMORY. What the kernel refuses is
 * in `refusal`; those before it are open still, so that it can be asked why. To be closed in any
 * case.
 */
int pq_set_open(struct pq_set *set, const struct pq_request *decider);
/* What is closed may be closed again. */
void pq_set_close(struct pq_set *set);
/* 0 or -errno, as the next. */
int pq_set_switch(const struct pq_set *set, enum pq_switch to);
/* The sums over all places. */
int pq_set_read(const struct pq_set *set, size_t member, struct pmuq_reading *ret);

#endif
