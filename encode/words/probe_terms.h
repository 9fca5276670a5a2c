/* SPDX-License-Identifier: MIT */
/*
 * The terms for the location of a probe: kprobe/func='do_exit'/,
 * uprobe/path='/bin/ls',offset=0x10/. The kernel reads it through pointers in the attr
 * (perf_event_open(2), config1 and config2). No event language has terms for it, so these are
 * pmuq's own, and the perf dialect does not have them.
 */
#pragma once

#include "core/catalog/model.h"

/* A term of a probe: a text, which the attr does not contain, or a number, which is config2. */
struct pq_probe_term {
	struct pmuq_str pmu, key;
	size_t max_bytes;  /* of a text, as the kernel takes it; 0 for a number */
	const char *field; /* of a text: the kernel's name for config1 */
	const char *also;  /* of a text: the terms that must be next to it, as a hint has them */
};

/* Checked for every event, so it is inline. */
static inline bool pq_takes_probes(const struct pmuq_pmu *pmu)
{
	struct pmuq_str name = pmu->name;

	return name.n == 6 && !memcmp(name.p + 1, "probe", 5) && (*name.p == 'k' || *name.p == 'u');
}

/* NULL for a PMU that has no probes, and for any other key. */
const struct pq_probe_term *pq_probe_term_find(const struct pmuq_pmu *pmu, struct pmuq_str key);
/* The n-th of the PMU's, for hints; NULL after the last. */
const struct pq_probe_term *pq_probe_term_at(const struct pmuq_pmu *pmu, size_t index);
