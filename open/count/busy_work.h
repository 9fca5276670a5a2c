/* SPDX-License-Identifier: MIT */
/* Something to count: user space and kernel work for a while. */
#pragma once

#include "core/cpulist.h"

struct pq_busy_work {
	unsigned ms; /* in total; longer if there are many CPUs to visit, for 0.2 ms each */
	const struct pq_cpus *cpus; /* to work on; NULL: any */
	bool visits_each;	    /* works on each of them in turn; else on any of them */
	bool is_waiting;	    /* only sleeps: another task works */
	struct pq_arena *scratch;   /* is_refused is set if there was no memory to choose CPUs */
};

/* Works in the calling thread and restores its CPU affinity. Skips CPUs on which the thread may not
 * run. */
void pq_busy_work_do(const struct pq_busy_work *work);
