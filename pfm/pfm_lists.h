/* SPDX-License-Identifier: MIT */
/* What libpfm4 has tables of, as the public functions show it. */
#ifndef PQ_PFM_LISTS_H
#define PQ_PFM_LISTS_H

#include "core/vec.h"
#include "pfm/client.h"
#include <pmuq/pmuq.h>

struct pmuq_pfm_pmu {
	struct pmuq_str name, description, sysfs, family;
	enum pmuq_pfm_pmu_kind kind;
	bool is_present;
	uint32_t n_events, instance;
};

struct pq_pfm_row {
	struct pmuq_str name, description, same;
	enum pmuq_pfm_attribute_kind kind;
	bool is_default;
};

struct pmuq_pfm_event {
	struct pmuq_str name, description, same;
	struct pq_pfm_row *attributes;
	size_t n_attributes;
};

/* An array that grows while frames come in, and what its rows point to. */
struct pmuq_pfm_pmus {
	struct pq_arena arena;
	PQ_VEC(struct pmuq_pfm_pmu);
};

struct pmuq_pfm_events {
	struct pq_arena arena;
	PQ_VEC(struct pmuq_pfm_event);
};

#endif
