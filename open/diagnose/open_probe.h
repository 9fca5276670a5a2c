/* SPDX-License-Identifier: MIT */
/*
 * Diagnosis by experiment: what was refused is tried again with one thing changed, then with two,
 * smallest change first, until the kernel opens it. Nothing is ever enabled.
 */
#ifndef PQ_OPEN_EXPERIMENT_H
#define PQ_OPEN_EXPERIMENT_H

#include "open/diagnose/refusal.h"

struct pq_experiment {
	const char *name;
	/* Makes the step-th variation (from 0) of *ret, which is the trial before; false when there
	 * is none (any more). */
	bool (*vary)(const struct pq_case *c, unsigned step, struct pq_trial *ret);
	const char *change; /* what was changed, with {words} */
	enum pq_claim proves;
};

/* The table, smallest change first; NULL beyond its end. */
const struct pq_experiment *pq_experiment_at(size_t index);

/*
 * Fills c->finding. The trial's group_fd, if any, must still be open. CPU lists are put into the
 * arena.
 */
void pq_experiment_find(const struct pq_kernel *kernel, struct pq_arena *arena, struct pq_case *c);

/* The plainest event there is, for this task: what refuses that, refuses everything. */
struct pq_trial pq_experiment_plainest(void);

#endif
