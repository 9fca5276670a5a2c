/* SPDX-License-Identifier: MIT */
/* Sibling instances of a PMU: they differ only in the number at the end of their names and in their
 * type. */
#pragma once

#include "core/vec.h"
#include <pmuq/pmuq.h>

/* In the catalog's order. */
struct instances {
	PQ_VEC(const struct pmuq_pmu *);
};

bool instances_are_equal(const struct pmuq_pmu *a, const struct pmuq_pmu *b);

/* "uncore_imc_[0-5]" and "17-22", to be freed; the types are NULL if one is not known. */
char *instances_names(const struct instances *instances);
char *instances_types(const struct instances *instances);

/* Whether all have that attribute with the same text: instances of one definition can still differ
 * in these files. */
bool instances_have_same(const struct instances *instances, size_t index);
