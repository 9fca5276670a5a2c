/* SPDX-License-Identifier: MIT */
/* What libpfm4 has tables of, as the public functions show it. */
#ifndef PQ_PFM_LISTS_H
#define PQ_PFM_LISTS_H

#include "core/vec.h"
#include "pfm/client.h"
#include <pmuq/pmuq.h>

struct pq_pfm_listed_event {
	struct pmuq_pfm_event record; /* first: what is handed out is this */
	struct pmuq_pfm_attribute *attributes;
};

/* An array that grows while frames come in, and what its rows point to. */
struct pmuq_pfm_pmus {
	struct pq_arena arena;
	PQ_VEC(struct pmuq_pfm_pmu);
};

struct pmuq_pfm_events {
	struct pq_arena arena;
	PQ_VEC(struct pq_pfm_listed_event);
};

#endif
