/* SPDX-License-Identifier: MIT */
/* What is read of an event, summed over its targets. */
#pragma once

#include "open/kernel.h"
#include <pmuq/opened.h>

/* The value as if the event had run all the time that it was enabled. */
static inline uint64_t pq_times_scaled(const struct pq_times *times)
{
	if (!times->running_ns || times->running_ns >= times->enabled_ns)
		return times->value;
	return (uint64_t)((double)times->value *
			  ((double)times->enabled_ns / (double)times->running_ns));
}

static inline void pq_times_add(struct pmuq_value *sum, const struct pq_times *times)
{
	sum->value += times->value;
	sum->time_enabled_ns += times->enabled_ns;
	sum->time_running_ns += times->running_ns;
	sum->scaled += pq_times_scaled(times);
}
