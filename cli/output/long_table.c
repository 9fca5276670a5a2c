/* SPDX-License-Identifier: MIT */
#include "cli/output/long_table.h"
#include "cli/or_die.h"
#include "cli/report.h"

struct long_table {
	const struct text_table *table;
	size_t from[COLUMNS_MAX], widths[COLUMNS_MAX]; /* bytes of a line */
	bool is_right[COLUMNS_MAX];
	char *line;
	size_t bytes; /* of a line whose last column is full */
	FILE *to;
};

static void measure_columns(struct long_table *layout)
{
	for (size_t i = 0; i < layout->table->n_columns; i++) {
		layout->from[i] = layout->bytes + (i > 0);
		layout->widths[i] = text_table_width(layout->table, i);
		layout->is_right[i] = column_is_right(layout->table->columns[i]);
		layout->bytes = layout->from[i] + layout->widths[i];
	}
}

/* Colours are those of stdout, even if the table is first printed elsewhere. */
static void print_headings(const struct long_table *layout)
{
	for (size_t i = 0; i < layout->table->n_columns; i++) {
		auto_free char *title = column_title(layout->table->columns[i]->name);
		bool is_last = i + 1 == layout->table->n_columns;
		int width = (int)layout->widths[i];

		if (!layout->is_right[i])
			width = is_last ? 0 : -width;
		fprintf(layout->to, "%s%*s%s%c", style_code(stdout, STYLE_NAME), width, title,
			style_code(stdout, STYLE_NONE), is_last ? '\n' : ' ');
	}
}

/* The last column is not filled with blanks. */
static void print_row(const struct long_table *layout, const char *const *texts)
{
	size_t end = 0;

	memset(layout->line, ' ', layout->bytes);
	for (size_t i = 0; i < layout->table->n_columns; i++) {
		const char *text = texts[i] ? texts[i] : "";
		size_t n = strlen(text), to = layout->from[i];

		if (layout->is_right[i] && n)
			to += layout->widths[i] - n;
		end = to + n;
		memcpy(layout->line + to, text, n);
	}
	layout->line[end] = '\n';
	fwrite(layout->line, 1, end + 1, layout->to);
}

void long_table_print(const struct text_table *table, FILE *to)
{
	struct long_table layout = { .table = table, .to = to };

	measure_columns(&layout);
	layout.line = or_die(malloc(layout.bytes + 1));
	if (table->has_headings)
		print_headings(&layout);
	for (size_t row = 0; row < table->n_rows; row++)
		print_row(&layout, &table->texts[row * table->n_columns]);
	free(layout.line);
}
