/* SPDX-License-Identifier: MIT */
/* Whether events count: each alone, a group as a whole, one after another. */
#pragma once

#include "open/session.h"

/* The counts: one for each request. Points to nothing outside itself. */
struct pq_count {
	struct pmuq_count record; /* first: callers get a pointer to this */
	struct pmuq_page page;
	size_t leader; /* of the group: until the end only its record is right about the group */
	bool is_final;
};

struct pmuq_counts {
	size_t n;
	struct pq_count v[];
};

/* Counts each event or group for options->work_ms; the scope of the options is not used. Returns 0,
 * also if nothing counts, or -PMUQ_E_MEMORY. */
int pq_count_requests(const struct pq_opener *opener, const struct pq_open_request *requests,
		      size_t n, const struct pmuq_open_options *options, struct pmuq_counts **ret,
		      struct pmuq_error **reterr);
