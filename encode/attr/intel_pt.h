/* SPDX-License-Identifier: MIT */
/* The config that intel_pt has before any term; 0 for all other PMUs. */
#ifndef PQ_INTEL_PT_H
#define PQ_INTEL_PT_H

#include "encode/encoder.h"

static inline bool pq_has_default_config(const struct pmuq_pmu *pmu)
{
	struct pmuq_str name = STR("intel_pt");

	return pmu->name.n == name.n && *pmu->name.p == *name.p && str_eq(pmu->name, name);
}

int pq_default_config(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		      struct pq_encoding *encoding);

#endif
