/* SPDX-License-Identifier: MIT */
#include "cli/tables/list_columns.h"
#include "cli/options.h"
#include <string.h>
#include <strings.h>

static const char *next_column(const void *of, size_t index)
{
	const struct list_kind *kind = of;

	return index < kind->n_columns ? kind->columns[index].name : NULL;
}

static const struct column *find_column(const struct list_kind *kind, const char *name, size_t n)
{
	for (size_t i = 0; i < kind->n_columns; i++) {
		const struct column *column = &kind->columns[i];

		if (strlen(column->name) == n && strncasecmp(column->name, name, n) == 0)
			return column;
	}
	return NULL;
}

static int refuse_column(const struct list_kind *kind, const struct command *command,
			 const char *name, size_t n)
{
	auto_free char *word = strndup(name, n);
	const char *near;

	for (char *c = word; c && *c; c++)
		*c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
	near = word ? nearest(word, next_column, kind) : NULL;
	if (near)
		return usage_error(command, "%s have no column '%.*s'; did you mean '%s'?",
				   kind->name, (int)n, name, near);
	return usage_error(command, "%s have no column '%.*s'; `pmuq %s --list-columns` shows them",
			   kind->name, (int)n, name, command->name);
}

/* A column has one place: a second would be a second key of that name in JSON. */
static int choose(struct list_columns *columns, const struct command *command,
		  const struct column *column)
{
	for (size_t i = 0; i < columns->n; i++)
		if (columns->at[i] == column)
			return STATUS_OK;
	if (columns->n == LIST_COLUMNS_MAX)
		return usage_error(command, "more than %d columns", LIST_COLUMNS_MAX);
	columns->at[columns->n++] = column;
	return STATUS_OK;
}

static int choose_named(struct list_columns *columns, const struct command *command,
			const char *names)
{
	int status;

	do {
		size_t n = strcspn(names, ",");
		const struct column *column = find_column(columns->kind, names, n);

		if (!column)
			return refuse_column(columns->kind, command, names, n);
		status = choose(columns, command, column);
		if (status != STATUS_OK)
			return status;
		names += n + (names[n] == ',');
	} while (*names);
	return STATUS_OK;
}

int list_columns_choose(struct list_columns *columns, const struct command *command,
			const char *names, unsigned usual)
{
	const struct list_kind *kind = columns->kind;

	columns->n = columns->n_usual = 0;
	if (names && *names != '+')
		return choose_named(columns, command, names);
	for (size_t i = 0; i < kind->n_columns; i++)
		if (kind->columns[i].flags & usual)
			choose(columns, command, &kind->columns[i]);
	columns->n_usual = columns->n;
	return names ? choose_named(columns, command, names + 1) : STATUS_OK;
}

bool list_columns_know(const struct list_columns *columns, unsigned flag)
{
	for (size_t i = 0; i < columns->kind->n_columns; i++)
		if (columns->kind->columns[i].flags & flag)
			return true;
	return false;
}

/* A roomy one takes what the others leave. */
static size_t column_width(const struct column *column, const struct list_row *rows, size_t n_rows)
{
	size_t widest = strlen(column->name);

	if (column->flags & COLUMN_ROOMY)
		return widest;
	for (size_t i = 0; i < n_rows; i++) {
		auto_free char *text = column->text(&rows[i]);
		size_t n = text ? strlen(text) : 0;

		widest = n > widest ? n : widest;
	}
	return widest;
}

void list_columns_fit(struct list_columns *columns, const struct list_row *rows, size_t n_rows,
		      unsigned width)
{
	size_t widths[LIST_COLUMNS_MAX], total = columns->n;

	for (size_t i = 0; i < columns->n; i++)
		total += widths[i] = column_width(columns->at[i], rows, n_rows);
	for (size_t i = columns->n_usual; i-- > 0 && total - 1 > width;) {
		if (!(columns->at[i]->flags & COLUMN_SPARE))
			continue;
		total -= widths[i] + 1;
		columns->n--;
		memmove(&columns->at[i], &columns->at[i + 1],
			(columns->n - i) * sizeof(columns->at[0]));
	}
}

static char column_mark(const struct column *column)
{
	static const struct {
		unsigned flag;
		char mark;
	} marks[] = {
		{ COLUMN_CHECKED, '?' },
		{ COLUMN_SOURCED, '+' },
		{ COLUMN_ROOMY, '>' },
		{ COLUMN_DEFAULT, '*' },
	};

	for (size_t i = 0; i < COUNT(marks); i++)
		if (column->flags & marks[i].flag)
			return marks[i].mark;
	return ' ';
}

void list_columns_print_kind(const struct list_kind *kind)
{
	for (size_t i = 0; i < kind->n_columns; i++)
		printf("  %-11s %c %s\n", kind->columns[i].name, column_mark(&kind->columns[i]),
		       kind->columns[i].help);
}

void list_columns_print(void)
{
	for (size_t i = 0; i < list_kinds_count; i++) {
		printf("%s%s:\n", i ? "\n" : "", list_kinds[i]->name);
		list_columns_print_kind(list_kinds[i]);
	}
	printf("\n* stands in the list without -o, ? if the machine was checked,\n"
	       "+ if there are events of several sources, > then on a wide terminal\n");
}
