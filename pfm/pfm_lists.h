/* SPDX-License-Identifier: MIT */
/* Lists of libpfm4's PMUs and events, as the public functions return them. */
#ifndef PQ_PFM_LISTS_H
#define PQ_PFM_LISTS_H

#include "core/vec.h"
#include "pfm/client.h"
#include <pmuq/pmuq.h>

struct pq_pfm_listed_event {
	struct pmuq_pfm_event record; /* first: callers see this */
	struct pmuq_pfm_attribute *attributes;
};

/* Rows that are added as frames arrive, and the arena that they point to. */
struct pmuq_pfm_pmus {
	struct pq_arena arena;
	PQ_VEC(struct pmuq_pfm_pmu);
};

struct pmuq_pfm_events {
	struct pq_arena arena;
	PQ_VEC(struct pq_pfm_listed_event);
};

#endif
