/* SPDX-License-Identifier: MIT */
/* Rows of texts are gathered first, because which columns fit is known only at the end. If they do
 * not fit, narrow.c prints them: libsmartcols would cut words. */
#include "cli/output/table.h"
#include "cli/or_die.h"
#include "cli/output/narrow.h"
#include "cli/output/smartcols.h"

struct table {
	struct smartcols *library;
	bool has_headings;
	struct pq_arena memory;
	PQ_VEC(const char *) texts;  /* row after row; NULL: no value */
	struct pq_buf scratch, text; /* of the cell that is being printed */
};

struct table *table_new(bool has_headings)
{
	struct smartcols *library = smartcols_load();
	struct table *table;

	if (!library)
		return NULL;
	table = or_die(calloc(1, sizeof(*table)));
	table->library = library;
	table->has_headings = has_headings;
	table->memory = PQ_ARENA(SIZE_MAX);
	return table;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	free(table->library);
	pq_vec_free(&table->texts);
	pq_arena_clear(&table->memory);
	pq_buf_free(&table->scratch);
	pq_buf_free(&table->text);
	free(table);
}

/* NULL: an empty cell. */
static const char *cell_text(struct table *table, const struct field *field, const void *record)
{
	struct pq_buf *text = &table->text;
	struct pmuq_str kept;

	text->n = 0;
	field_print(field, record, false, &table->scratch, text);
	done_or_die(!text->failed && !table->scratch.failed);
	if (!text->n)
		return NULL;
	kept = pq_arena_str(&table->memory, pq_buf_str(text));
	done_or_die(kept.p != NULL);
	return kept.p;
}

void table_add_row(struct table *table, const struct columns *columns, const void *record)
{
	for (size_t i = 0; i < columns->n; i++)
		push_or_die(&table->texts, cell_text(table, columns->v[i], record));
}

/* A column for wide terminals takes the width that the others leave. */
static size_t least_width(const struct text_table *table, size_t column)
{
	const struct field *field = table->columns[column];

	if (field->flags & FIELD_WIDE)
		return field->width > field->name.n ? field->width : field->name.n;
	return text_table_width(table, column);
}

/* Drops spare columns from the right, in is_dropped[]. Returns whether the others fit. */
static bool drop_spare(const struct text_table *table, size_t n_default, bool *is_dropped)
{
	size_t widths[COLUMNS_MAX], total = table->n_columns;
	bool has_rest = false; /* a column that takes what the others leave */

	for (size_t i = 0; i < table->n_columns; i++) {
		total += widths[i] = least_width(table, i);
		has_rest |= table->columns[i]->flags & FIELD_WIDE;
	}
	for (size_t i = n_default; i-- > 0 && total - 1 > table->width;) {
		is_dropped[i] = table->columns[i]->flags & FIELD_SPARE;
		if (is_dropped[i])
			total -= widths[i] + 1;
	}
	return !has_rest && total - 1 <= table->width;
}

/* The others; `texts` has memory for those of all columns. */
static void remove_columns(struct text_table *table, const bool *is_dropped, const char **texts)
{
	size_t n = 0, n_columns = 0;

	for (size_t i = 0; i < table->n_rows * table->n_columns; i++)
		if (!is_dropped[i % table->n_columns])
			texts[n++] = table->texts[i];
	table->texts = texts;
	for (size_t i = 0; i < table->n_columns; i++)
		if (!is_dropped[i])
			table->columns[n_columns++] = table->columns[i];
	table->n_columns = n_columns;
}

bool table_print(struct table *table, const struct columns *columns, unsigned width, FILE *to)
{
	bool is_dropped[COLUMNS_MAX] = { false }, fits;
	struct text_table all = {
		.n_columns = columns->n,
		.texts = table->texts.v,
		.n_rows = table->texts.n / columns->n,
		.width = width,
		.has_headings = table->has_headings,
	};

	if (!table->texts.n)
		return true;
	memcpy(all.columns, columns->v, columns->n * sizeof(*columns->v));
	fits = !width || drop_spare(&all, columns->n_default, is_dropped);
	if (width)
		remove_columns(&all, is_dropped, table->texts.v);
	if (fits)
		return smartcols_print(table->library, &all, to);
	narrow_print(&all, to);
	return true;
}
