/* SPDX-License-Identifier: MIT */
/* A table whose rows are all known, as texts. smartcols.h prints it if it fits, else narrow.h. */
#pragma once

#include "cli/output/columns.h"
#include <string.h>

struct text_table {
	const struct field *columns[COLUMNS_MAX];
	size_t n_columns;
	const char *const *texts; /* row after row; NULL: no value */
	size_t n_rows, width;	  /* of the terminal; 0: no limit */
	bool has_headings;
};

/* The bytes of the longest text of a column. */
static inline size_t text_table_widest(const struct text_table *table, size_t column)
{
	size_t width = 0;

	for (size_t row = 0; row < table->n_rows; row++) {
		const char *text = table->texts[row * table->n_columns + column];
		size_t n = text ? strlen(text) : 0;

		width = n > width ? n : width;
	}
	return width;
}

/* As libsmartcols finds it: a hint for wide texts (in columns, not a part of the terminal) is not
 * used if all texts are narrower than the heading. */
static inline size_t text_table_width(const struct text_table *table, size_t column)
{
	const struct field *field = table->columns[column];
	size_t n = text_table_widest(table, column), hint = field->width;

	if (n < field->name.n)
		return field->name.n;
	return hint > n && hint > field->name.n ? hint : n;
}
