/* SPDX-License-Identifier: MIT */
/*
 * Rows of PMUs that differ only in number and type, to be listed once. What is shown decides: no
 * column may tell two boxes apart but those that give ranges.
 */
#ifndef PQ_CLI_LIST_FOLD_H
#define PQ_CLI_LIST_FOLD_H

#include "cli/tables/list.h"

struct list_group {
	struct boxes boxes;
	struct list_row *rows; /* of the first of the boxes */
	size_t n_rows;
};

struct list_fold {
	const struct column *const *columns; /* that are shown */
	size_t n_columns;
	struct list_group *groups;
	size_t n_groups;
};

/* The rows of the next PMU, in the catalog's order. False: out of memory. */
bool list_fold_add(struct list_fold *fold, const struct list_row *rows, size_t n_rows);
void list_fold_clear(struct list_fold *fold);

#endif
