/* SPDX-License-Identifier: MIT */
/* What is read of an event, summed over its targets. */
#pragma once

#include "open/kernel.h"
#include <pmuq/opened.h>

/* Scaled is the value as if the event had run all the time that it was enabled. */
static inline void pq_times_add(struct pmuq_value *sum, const struct pq_times *times)
{
	bool is_partial = times->running_ns && times->running_ns < times->enabled_ns;
	double factor = is_partial ? (double)times->enabled_ns / (double)times->running_ns : 1;

	sum->value += times->value;
	sum->time_enabled_ns += times->enabled_ns;
	sum->time_running_ns += times->running_ns;
	sum->scaled += is_partial ? (uint64_t)((double)times->value * factor) : times->value;
}
