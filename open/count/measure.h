/* SPDX-License-Identifier: MIT */
/* Whether events count: each alone, a group as a whole, one after another. */
#ifndef PQ_OPEN_MEASURE_H
#define PQ_OPEN_MEASURE_H

#include "open/count/counts.h"
#include "open/count/event_set.h"

struct pq_measuring {
	unsigned work_ms;
	bool wants_page;
};

/* 0, also when nothing counts, or -PMUQ_E_MEMORY. */
int pq_measure_requests(const struct pq_opener *opener, const struct pq_request *requests, size_t n,
			const struct pq_measuring *how, struct pmuq_counts **ret,
			struct pmuq_error **reterr);

/* What the files of measuring share. */
struct pq_measure {
	struct pq_opening opening;
	struct pq_measuring how;
	struct pmuq_counts *counts;
};

/*
 * Opens these requests as one group, lets them count for `ms`, and closes them: 0 or
 * -PMUQ_E_MEMORY. In *ret_answer 0: all were on their counters, or nothing ran that could be
 * counted; -ENOSPC: they never were; or the -errno of the opening. Keeps what was read with `keeps`
 * only, where all was opened.
 */
int pq_measure_set(struct pq_measure *measure, const size_t *indexes, size_t n, unsigned ms,
		   bool keeps, int *ret_answer);

/* A group that does not fit: finds who breaks it, and the parts that do fit. 0 or
 * -PMUQ_E_MEMORY. */
int pq_measure_split(struct pq_measure *measure, const struct pq_group *group);

#endif
