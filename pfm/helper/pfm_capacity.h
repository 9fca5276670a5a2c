/* SPDX-License-Identifier: MIT */
/*
 * In the helper: whether a name is safe to pass to libpfm4, which has an array of 64 attributes for
 * an event and writes beyond its end. Umasks that are aliases of several others fill it quickly.
 */
#pragma once

#include "pfm/helper/pfm_name.h"
#include "pfm/helper/pfm_tables.h"

/* Also true if the PMU has no such event: libpfm4 reports that before it fills the array. */
bool pq_pfm_fits(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu,
		 const struct pq_pfm_name *name);
