/* SPDX-License-Identifier: MIT */
/* The counts: one for each request. Points to nothing outside itself. */
#ifndef PQ_OPEN_COUNTS_H
#define PQ_OPEN_COUNTS_H

#include "core/base.h"
#include <pmuq/pmuq.h>

struct pq_count {
	enum pmuq_counting status;
	int errnum;
	bool is_final, is_read, is_grouped, has_page;
	struct pmuq_reading reading;
	struct pmuq_page page;
	const char *page_reason; /* static */
	size_t leader, part;
	size_t n_parts, breaker; /* of the group; in its leader's count */
};

struct pmuq_counts {
	size_t n;
	struct pq_count v[];
};

/* None counted, none in a group. NULL: out of memory. */
struct pmuq_counts *pq_counts_new(size_t n);
void pq_counts_freep(struct pmuq_counts **counts);

#endif
