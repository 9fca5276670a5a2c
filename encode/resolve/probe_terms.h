/* SPDX-License-Identifier: MIT */
/*
 * Where a probe goes: kprobe/func='do_exit'/, uprobe/path='/bin/ls',offset=0x10/. The kernel takes
 * that as pointers in the attr (perf_event_open(2), config1 and config2); no event language has
 * words for it, so these are pmuq's own. Not of the perf dialect.
 */
#ifndef PQ_PROBE_H
#define PQ_PROBE_H

#include "core/str.h"
#include <pmuq/attr.h>

struct pmuq_pmu;

/* A term of a probe: a text, which stands beside the attr, or a number, which is config2. */
struct pq_probe_term {
	struct pmuq_str pmu, key;
	size_t max_bytes;  /* of a text, as the kernel takes it; 0 for a number */
	const char *field; /* of a text: the kernel's name for config1 */
};

/* NULL for a PMU that takes no probes, and for a key that says nothing about their place. */
const struct pq_probe_term *pq_probe_term_find(const struct pmuq_pmu *pmu, struct pmuq_str key);
/* The n-th of the PMU's, for hints; NULL beyond the last. */
const struct pq_probe_term *pq_probe_term_at(const struct pmuq_pmu *pmu, size_t index);

#endif
