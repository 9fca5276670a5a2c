/* SPDX-License-Identifier: MIT */
/* Prints a table that is wider than the terminal. No line is longer than the width unless one word
 * is, and no word is cut. */
#pragma once

#include "cli/output/columns.h"
#include <stdio.h>

struct narrow_table {
	const struct field *columns[COLUMNS_MAX];
	size_t n_columns;
	const char *const *texts; /* row after row; NULL: no value */
	size_t n_rows, width;
	bool has_headings;
};

void narrow_print(const struct narrow_table *table, FILE *to);
