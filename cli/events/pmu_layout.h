/* SPDX-License-Identifier: MIT */
/* The config words of a PMU, ready to be drawn: a field for each format whose text can be
 * understood. */
#pragma once

#include "cli/events/layout.h"
#include <pmuq/pmuq.h>

struct pmu_layout {
	struct layout layout;
	struct layout_field *fields;
};

/* Needs the catalog of the PMU. */
void pmu_layout_make(struct pmu_layout *ret, const struct pmuq_pmu *pmu, unsigned columns,
		     bool is_utf8);
void pmu_layout_clear(struct pmu_layout *layout);
