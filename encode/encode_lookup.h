/* SPDX-License-Identifier: MIT */
/* Queries of the machine: facts that every event may need, each queried once per call, and facts of
 * one PMU. */
#pragma once

#include "encode/encoder.h"

/* "" if the machine does not have the fact */
int pq_online_cpus(const struct pq_encoder *e, struct pmuq_str *ret);
int pq_core_pmus(const struct pq_encoder *e, struct pq_pmu_list *ret);
/* Whether the type of a core PMU goes into the upper half of a generic event's config. */
int pq_takes_extended(const struct pq_encoder *e, bool *ret);

/* "cpu" without formats, for a machine that shows no core PMU. */
int pq_core_placeholder(const struct pq_encoder *e, const struct pmuq_pmu **ret);
/* The definition of all placeholders, which has nothing. */
extern const struct pq_def pq_no_def;
static inline bool pq_is_placeholder(const struct pmuq_pmu *pmu)
{
	return pmu->definition == &pq_no_def.record;
}
/* The first core PMU; if it rejects the terms, all core PMUs. */
#define PQ_DEFAULT_CORE "default_core"
/* By type: the names of PMUs whose type numbers never change, or empty. */
#define PQ_FIXED_PMUS (PQ_TYPE_BREAKPOINT + 1)
extern const struct pmuq_str pq_fixed_pmus[PQ_FIXED_PMUS];
/* The PMU of that name or alias; PQ_NONE if no PMU has it. Fixed PMUs are found even if the machine
 * does not show them, and so is "cpu" if there is no core PMU. */
int pq_find_pmu(const struct pq_encoder *e, struct pmuq_str name, const struct pmuq_pmu **ret);

/* Queries of one PMU. PQ_NONE if it does not have what is queried; a placeholder has nothing. */
int pq_lookup_fill(const struct pq_encoder *e, const struct pmuq_pmu *pmu);
#define pq_lookup_format(e, pmu, name, ret) PQ_QUERY_PMU(e, format, pmu, name, ret)
#define pq_lookup_event(e, pmu, name, ret) PQ_QUERY_PMU(e, event, pmu, name, ret)
#define pq_lookup_cap(e, pmu, name, ret) PQ_QUERY_PMU(e, cap, pmu, name, ret)
#define PQ_QUERY_PMU(e, op, pmu, name, ret)                                                        \
	(pq_is_placeholder(pmu) ? PQ_NONE : pq_query(e, op, pmu, name, ret))

/* Loads the whole PMU, so that its definition can be read. For an unreadable PMU the call fails
 * only if a resource (memory, descriptors) was missing. */
enum pq_loaded {
	PQ_LOADED = 0,
	PQ_UNREADABLE = 1,
};
int pq_lookup_all(const struct pq_encoder *e, const struct pmuq_pmu *pmu);
/* The same for hints, which must not replace an existing error: 0 if the PMU was read. */
int pq_try_load(const struct pq_encoder *e, const struct pmuq_pmu *pmu);
