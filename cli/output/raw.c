/* SPDX-License-Identifier: MIT */
/*
 * Nothing is laid out, so a row is printed when it is known: a pipe gets the first one at once, and
 * a list of any length needs no memory. Blanks and whatever is not printable ASCII are written as
 * \x20, as in the raw tables of util-linux.
 */
#include "cli/output/raw.h"
#include "cli/or_die.h"
#include <stdio.h>

static bool is_plain(char c)
{
	return c > ' ' && c <= '~' && c != '\\';
}

static void add_value(struct pq_buf *line, struct pmuq_str value)
{
	size_t from = 0;

	for (size_t i = 0; i < value.n; i++) {
		if (is_plain(value.p[i]))
			continue;
		pq_buf_add(line, str_part(value, from, i));
		pq_buf_add(line, STR("\\x"));
		hex_print(str_part(value, i, i + 1), line);
		from = i + 1;
	}
	pq_buf_add(line, str_part(value, from, value.n));
}

static void print_line(struct pq_buf *line)
{
	line->p[line->n - 1] = '\n';
	fwrite(line->p, 1, line->n, stdout);
	line->n = 0;
}

static void print_headings(struct raw_rows *rows, const struct columns *columns)
{
	for (size_t i = 0; i < columns->n; i++) {
		auto_free char *title = column_title(columns->v[i]->name);

		add_value(&rows->line, str_of(title));
		pq_buf_char(&rows->line, ' ', 1);
	}
	done_or_die(!rows->line.failed);
	print_line(&rows->line);
}

void raw_add_row(struct raw_rows *rows, const struct columns *columns, const void *record)
{
	if (rows->has_headings && !rows->has_begun)
		print_headings(rows, columns);
	rows->has_begun = true;
	for (size_t i = 0; i < columns->n; i++) {
		rows->text.n = 0;
		field_print(columns->v[i], record, true, &rows->scratch, &rows->text);
		add_value(&rows->line, pq_buf_str(&rows->text));
		pq_buf_char(&rows->line, ' ', 1);
	}
	done_or_die(!rows->line.failed && !rows->text.failed && !rows->scratch.failed);
	print_line(&rows->line);
}

void raw_free(struct raw_rows *rows)
{
	pq_buf_free(&rows->scratch);
	pq_buf_free(&rows->text);
	pq_buf_free(&rows->line);
}
