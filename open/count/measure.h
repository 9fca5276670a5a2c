/* SPDX-License-Identifier: MIT */
/* Whether events count: each alone, a group as a whole, one after another. */
#pragma once

#include "open/count/counts.h"
#include "open/session.h"

#define PQ_COUNT_WORK_MS 100u

struct pq_count_options {
	unsigned work_ms; /* how long each event or group counts */
	bool wants_page;
};

/* Returns 0, also if nothing counts, or -PMUQ_E_MEMORY. */
int pq_count_requests(const struct pq_opener *opener, const struct pq_open_request *requests,
		      size_t n, const struct pq_count_options *options, struct pmuq_counts **ret,
		      struct pmuq_error **reterr);
