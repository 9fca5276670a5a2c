/* SPDX-License-Identifier: MIT */
/* Rows go to a table, to raw columns or to a document; the commands do not need to know which. A
 * table is printed at the end, when the width of its columns is known; the others row by row. */
#include "cli/output/rows.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/output/text_stream.h"
#include "cli/pager.h"
#include "cli/report.h"
#include "cli/terminal.h"

bool output_is_for_people(const struct output_choice *choice)
{
	return choice->form == DOCUMENT_NONE && !choice->is_raw;
}

static enum status begin(struct rows *rows, unsigned usual)
{
	const struct output_choice *choice = rows->choice;
	enum status status =
		columns_choose(&rows->columns, rows->type->row, choice->columns, usual);

	if (status != STATUS_OK)
		return status;
	if (choice->form != DOCUMENT_NONE) {
		for (size_t i = 0; choice->columns && i < rows->columns.n; i++)
			if (rows->columns.v[i]->flags & FIELD_TABLE)
				return usage_error("only tables have the column '%s'",
						   rows->columns.v[i]->name.p);
		status = document_begin(&rows->document, choice->form, rows->type, NULL);
		rows->document.fields = choice->columns ? rows->columns.v : NULL;
		return status;
	}
	rows->raw.has_headings = !choice->has_no_headings;
	if (choice->is_raw)
		return STATUS_OK;
	rows->table = table_new(!choice->has_no_headings);
	return rows->table ? STATUS_OK : STATUS_FAILED;
}

void rows_begin(struct rows *rows, const struct document_type *type,
		const struct output_choice *choice, unsigned usual)
{
	*rows = (struct rows){ .type = type, .choice = choice };
	rows->status = begin(rows, usual);
}

void rows_add(struct rows *rows, const void *record)
{
	if (rows->status != STATUS_OK)
		return;
	if (rows->table)
		table_add_row(rows->table, &rows->columns, record);
	else if (rows->choice->form == DOCUMENT_NONE)
		raw_add_row(&rows->raw, &rows->columns, record);
	else
		document_row(&rows->document, record);
}

/* Through the pager if the table is longer than the terminal. */
static enum status print_paged(struct rows *rows, unsigned width)
{
	auto_free char *text = NULL;
	struct text_stream stream;
	bool is_printed;

	text_stream_open(&stream);
	is_printed = table_print(rows->table, &rows->columns, width, stream.to);
	text = text_stream_close(&stream);
	if (is_printed)
		pager_print(text, !rows->choice->has_no_pager);
	return is_printed ? STATUS_OK : STATUS_FAILED;
}

static enum status print_table(struct rows *rows)
{
	unsigned width = terminal_columns(0);

	if (terminal_is(stdout))
		return print_paged(rows, width);
	return table_print(rows->table, &rows->columns, width, stdout) ? STATUS_OK : STATUS_FAILED;
}

enum status rows_end(struct rows *rows)
{
	if (rows->status == STATUS_OK && rows->table)
		rows->status = print_table(rows);
	if (rows->document.type)
		rows->status = document_end(&rows->document, NULL);
	table_free(rows->table);
	raw_free(&rows->raw);
	return rows->status;
}
