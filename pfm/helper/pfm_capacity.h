/* SPDX-License-Identifier: MIT */
/*
 * In the helper: whether libpfm4 can be handed a name. It has room for 64 attributes of an event,
 * and does not look where it writes: umasks that stand for others fill it soon, written twice too.
 */
#ifndef PQ_PFM_ROOM_H
#define PQ_PFM_ROOM_H

#include "pfm/helper/pfm_name.h"
#include "pfm/helper/pfm_tables.h"

/* True, too, when the PMU has no such event: the library says so before it counts. */
bool pq_pfm_has_room(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu,
		     const struct pq_pfm_name *name);

#endif
