/* SPDX-License-Identifier: MIT */
/* Sibling instances of a PMU: they differ only in the number at the end of their names and in their
 * type. */
#pragma once

#include "cli/cli_base.h"
#include "core/vec.h"

/* In the catalog's order. */
struct instances {
	PQ_VEC(const struct pmuq_pmu *);
};

bool instances_are_equal(const struct pmuq_pmu *a, const struct pmuq_pmu *b);
/* False: out of memory. */
bool instances_add(struct instances *instances, const struct pmuq_pmu *pmu);
void instances_clear(struct instances *instances);

/* "uncore_imc_[0-5]" and "17-22", to be freed. NULL: out of memory, or an unknown type. */
char *instances_names(const struct instances *instances);
char *instances_types(const struct instances *instances);
