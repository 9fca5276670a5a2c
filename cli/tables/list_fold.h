/* SPDX-License-Identifier: MIT */
/* Rows of sibling instances, listed once if all printed fields are equal, except those that are
 * printed as ranges. */
#pragma once

#include "cli/tables/list.h"

struct list_group {
	struct instances instances;
	struct list_row *rows; /* the first instance's */
	size_t n_rows;
};

struct list_fold {
	PQ_VEC(struct list_group);
	const struct field *const *fields; /* that are printed, up to NULL */
	struct pq_buf scratch, texts[2];
};

/* The rows of the next PMU, in the catalog's order. */
void list_fold_add(struct list_fold *fold, const struct list_row *rows, size_t n_rows);
void list_fold_clear(struct list_fold *fold);
