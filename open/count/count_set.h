/* SPDX-License-Identifier: MIT */
/* One set of events: opened, enabled for a while, read, closed. */
#pragma once

#include "open/count/measure.h"

struct pq_count_session {
	struct pq_open_session opening;
	struct pmuq_open_options options;
	struct pmuq_counts *counts;
};

/*
 * Counts these requests as one group for `ms`. Stores the counts, or the errno, if `is_stored`.
 *
 * Returns 0 or -PMUQ_E_MEMORY, without an error object. *ret_errnum is 0 if all were on their
 * counters, or if the target did not run; ENOSPC if one was never on a counter; else the errno of
 * the system call that failed.
 */
int pq_count_set(struct pq_count_session *session, size_t *indexes, size_t n, unsigned ms,
		 bool is_stored, int *ret_errnum);
