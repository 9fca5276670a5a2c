/* SPDX-License-Identifier: MIT */
/* What can be listed: kinds of rows, their columns, and which globs a row answers to. */
#ifndef PQ_CLI_LIST_H
#define PQ_CLI_LIST_H

#include "cli/boxes.h"
#include "cli/table.h"

/* One line of a list; only what its kind has is set. Everything lives in the catalog,
 * or beside it. */
struct list_row {
	const struct pmuq_catalog *catalog;
	const struct pmuq_pmu *pmu;
	const struct pmuq_event *event;
	const struct pmuq_format *format;
	size_t index;			/* of a fact or a problem of the catalog */
	const struct boxes *boxes;	/* NULL: the row is of its PMU alone */
	const struct pmuq_check *check; /* NULL: nobody knows what opens */
};

struct list_kind {
	const char *name; /* also the name of the array in JSON */
	const char *one;
	const struct column *columns;
	size_t n_columns;
	/* The index-th row of a PMU, or of the catalog where pmu is NULL; false beyond the last. */
	bool (*row)(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu, size_t index,
		    struct list_row *ret);
	bool (*matches)(const struct list_row *row, const char *glob);
	bool is_of_catalog; /* rows are asked of the catalog, not of each PMU */
};

extern const struct list_kind list_kinds[];
extern const size_t list_kinds_count;
const struct list_kind *list_kind_find(const char *name);

#endif
