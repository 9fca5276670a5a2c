/* SPDX-License-Identifier: MIT */
/* Something to count: a thread that burns CPU in user space and in the kernel for a while. */
#ifndef PQ_OPEN_WORK_H
#define PQ_OPEN_WORK_H

#include "core/cpulist.h"

struct pq_work {
	unsigned ms;
	const struct pq_cpus *cpus; /* to work on; NULL: any */
	bool visits_each;	    /* of them, one after another; else any of them */
	bool is_waiting;	    /* somebody else does it */
};

/* In the calling thread, which may run on the CPUs of before afterwards. CPUs that it may not run
 * on are passed over. */
void pq_work_do(const struct pq_work *work);

#endif
