/* SPDX-License-Identifier: MIT */
/* What is read of an event, summed over its targets. */
#ifndef PQ_OPEN_TIMES_H
#define PQ_OPEN_TIMES_H

#include "open/kernel.h"
#include <pmuq/open.h>

/* The value as if the event had run all the time that it was enabled. */
static inline uint64_t pq_times_scaled(const struct pq_times *times)
{
	if (!times->running_ns || times->running_ns >= times->enabled_ns)
		return times->value;
	return (uint64_t)((double)times->value *
			  ((double)times->enabled_ns / (double)times->running_ns));
}

static inline void pq_reading_add(struct pmuq_reading *reading, const struct pq_times *times)
{
	reading->value += times->value;
	reading->time_enabled_ns += times->enabled_ns;
	reading->time_running_ns += times->running_ns;
	reading->scaled += pq_times_scaled(times);
}

#endif
