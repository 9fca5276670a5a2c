/* SPDX-License-Identifier: MIT */
/* Whether TEXT/…/ matches the PMU of that name. TEXT is not empty. */
#ifndef PQ_WILDCARD_H
#define PQ_WILDCARD_H

#include "core/str.h"

struct pq_wildcard {
	struct pmuq_str text;
	bool has_glob, keeps_uncore;
};
struct pq_wildcard pq_wildcard_of(struct pmuq_str text, bool is_perf);
bool pq_wildcard_matches(const struct pq_wildcard *wildcard, struct pmuq_str pmu_name);

#endif
