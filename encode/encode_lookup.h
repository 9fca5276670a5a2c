/* SPDX-License-Identifier: MIT */
/* What encoding queries of the machine: facts that every event may need, once, and facts of one
 * PMU. */
#ifndef PQ_ENCODE_LOOKUP_H
#define PQ_ENCODE_LOOKUP_H

#include "encode/encoder.h"

int pq_online_cpus(const struct pq_encoder *e, struct pmuq_str *ret);
int pq_core_pmus(const struct pq_encoder *e, struct pq_pmu_list *ret);
/* Whether the type of a core PMU goes into the upper half of a generic event's config. */
int pq_takes_extended(const struct pq_encoder *e, bool *ret);

/* "cpu" without formats, which stands in where the machine shows no core PMU. */
int pq_core_placeholder(const struct pq_encoder *e, const struct pmuq_pmu **ret);
bool pq_is_placeholder(const struct pmuq_pmu *pmu);
/* The first core PMU; where that does not take the terms, all core PMUs. */
#define PQ_DEFAULT_CORE "default_core"
/* The PMU of that name or alias, or PQ_DEFAULT_CORE. Those whose types never change ("software",
 * "tracepoint", "breakpoint"), and "cpu" where there is no core PMU, are there even if the machine
 * does not show them. Else PQ_NONE. */
int pq_find_pmu(const struct pq_encoder *e, struct pmuq_str name, const struct pmuq_pmu **ret);

/* Lookups in one PMU; a placeholder has nothing. PQ_NONE: the PMU has no such thing. */
int pq_lookup_fill(const struct pq_encoder *e, const struct pmuq_pmu *pmu);
int pq_lookup_format(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
		     const struct pmuq_format **ret);
int pq_lookup_event(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
		    const struct pmuq_event **ret);
int pq_lookup_cap(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
		  struct pmuq_str *ret);
/* All of the PMU, so that its definition can be walked. An unreadable PMU is a failure only if this
 * process ran out of something. */
enum pq_loaded {
	PQ_LOADED = 0,
	PQ_UNREADABLE = 1,
};
int pq_lookup_all(const struct pq_encoder *e, const struct pmuq_pmu *pmu);
/* The same for hints, when an error is there already: 0 when it could be read. */
int pq_try_load(const struct pq_encoder *e, const struct pmuq_pmu *pmu);

#endif
