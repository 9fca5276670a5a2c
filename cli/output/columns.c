/* SPDX-License-Identifier: MIT */
/*
 * Chooses the columns of a table by the flags of the fields or by -o, and lists the columns of a
 * record. Names match in any case; an unknown name is reported with the nearest one.
 */
#include "cli/output/columns.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *next_column(const void *of, size_t index)
{
	const struct field *field = record_field(of, index);

	return field ? field->name.p : NULL;
}

static const struct field *find_column(const struct record_type *type, struct pmuq_str name)
{
	const struct field *field;

	for (size_t i = 0; (field = record_field(type, i)); i++)
		if (field_is_column(field) && field->name.n == name.n &&
		    strncasecmp(field->name.p, name.p, name.n) == 0)
			return field;
	return NULL;
}

bool column_is_right(const struct field *field)
{
	return field->type == FIELD_NUMBER || field->type == FIELD_COUNT ||
	       field->type == FIELD_WORD || field->type == FIELD_LITERAL;
}

char *column_title(struct pmuq_str name)
{
	char *text = or_die(strndup(name.p, name.n));

	for (char *c = text; *c; c++)
		*c = char_upper(*c);
	return text;
}

/* A usage error with the column that was probably meant. */
static enum status refuse_column(const struct record_type *type, struct pmuq_str name)
{
	auto_free char *word = or_die(strndup(name.p, name.n)), *title = NULL;
	const char *near = nearest(word, next_column, type);

	title = near ? column_title(str_of(near)) : NULL;
	if (title)
		return usage_error("there is no column '%.*s'; did you mean '%s'?", STR_ARG(name),
				   title);
	return usage_error("there is no column '%.*s'; --list-columns lists them", STR_ARG(name));
}

/* Adding a field twice would repeat its key in JSON. */
static void choose(struct columns *columns, const struct field *field)
{
	for (size_t i = 0; i < columns->n; i++)
		if (columns->v[i] == field)
			return;
	assert(columns->n < COLUMNS_MAX);
	columns->v[columns->n++] = field;
}

/* "A,B": an empty name is an unknown column. */
static enum status choose_named(struct columns *columns, struct pmuq_str names)
{
	struct pmuq_str name;

	while (str_next(&names, ',', &name)) {
		const struct field *field = find_column(columns->type, name);

		if (!field)
			return refuse_column(columns->type, name);
		choose(columns, field);
	}
	return STATUS_OK;
}

enum status columns_choose(struct columns *columns, const struct record_type *type,
			   const char *names, unsigned usual)
{
	const struct field *field;

	*columns = (struct columns){ .type = type };
	if (names && *names != '+')
		return choose_named(columns, str_of(names));
	for (size_t i = 0; (field = record_field(type, i)); i++)
		if (field->flags & usual)
			choose(columns, field);
	columns->n_default = columns->n;
	return names ? choose_named(columns, str_of(names + 1)) : STATUS_OK;
}

bool columns_exist(const struct record_type *type, unsigned flag)
{
	const struct field *field;

	for (size_t i = 0; (field = record_field(type, i)); i++)
		if (field->flags & flag)
			return true;
	return false;
}

/* ------------------------------------------------------------------------------- --list-columns */

/* If there are several, the first. */
static const struct {
	unsigned flag;
	char mark;
	const char *meaning;
} marks[] = {
	{ .flag = FIELD_SHOWN, .mark = '*', .meaning = "a default column" },
	{ .flag = FIELD_CHECKED, .mark = '?', .meaning = "if the events were opened" },
	{ .flag = FIELD_WIDE, .mark = '>', .meaning = "if the terminal is wide" },
	{ .flag = FIELD_SOURCED, .mark = '+', .meaning = "if names come from several sources" },
	{ .flag = FIELD_VENDOR, .mark = 'v', .meaning = "if a vendor's table is used" },
	{ .flag = FIELD_HISTORY, .mark = 'h', .meaning = "with --history" },
};

static char mark_of(const struct field *field)
{
	for (size_t i = 0; i < COUNT(marks); i++)
		if (field->flags & marks[i].flag)
			return marks[i].mark;
	return ' ';
}

static void print_record(const struct record_type *type)
{
	const struct field *field;
	int width = 12;

	for (size_t i = 0; (field = record_field(type, i)); i++)
		if (field_is_column(field) && (int)field->name.n > width)
			width = (int)field->name.n;
	for (size_t i = 0; (field = record_field(type, i)); i++) {
		auto_free char *title = column_title(field->name);

		if (field_is_column(field))
			printf("  %-*s %c %s\n", width, title, mark_of(field), field->help);
	}
}

/* Whether a table of the command has a column with that flag. */
static bool is_used(const struct document_type *const *documents, unsigned flag)
{
	for (; *documents; documents++)
		if ((*documents)->is_table && columns_exist((*documents)->row, flag))
			return true;
	return false;
}

void columns_print(const struct document_type *const *documents)
{
	bool has_many = documents[1] && documents[1]->is_table;

	for (size_t i = 0; documents[i]; i++) {
		if (!documents[i]->is_table)
			continue;
		if (has_many)
			printf("%s%s:\n", i ? "\n" : "", documents[i]->rows);
		print_record(documents[i]->row);
	}
	putchar('\n');
	for (size_t i = 0; i < COUNT(marks); i++)
		if (is_used(documents, marks[i].flag))
			printf("%c  %s\n", marks[i].mark, marks[i].meaning);
}
