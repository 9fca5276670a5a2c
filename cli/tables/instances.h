/* SPDX-License-Identifier: MIT */
/*
 * PMUs that stand for one another: the boxes of one kind, which differ only in the number at the
 * end of their names and in their type.
 */
#ifndef PQ_CLI_BOXES_H
#define PQ_CLI_BOXES_H

#include "cli/cli_base.h"

/* In the catalog's order. */
struct boxes {
	const struct pmuq_pmu **pmus;
	size_t n;
};

bool boxes_are_alike(const struct pmuq_pmu *a, const struct pmuq_pmu *b);
/* False: out of memory. */
bool boxes_add(struct boxes *boxes, const struct pmuq_pmu *pmu);
void boxes_clear(struct boxes *boxes);

/* "uncore_imc_[0-5]" and "17-22", to be freed. NULL: out of memory, or types that nobody tells. */
char *boxes_names(const struct boxes *boxes);
char *boxes_types(const struct boxes *boxes);

#endif
