/* SPDX-License-Identifier: MIT */
/* `pmuq list`: what the machine offers, as a table. The kinds and columns are in list_kinds.c. */
#include "cli/cmd.h"
#include "cli/list.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/source.h"
#include <string.h>
#include <strings.h>

enum {
	KEY_LIST_COLUMNS = OPTION_LONG,
};

static const struct option_row list_options[] = {
	{ 'o', "output", "COLUMNS", "these columns, A,B,C; +A,B adds to the usual ones" },
	{ 'J', "json", NULL, "JSON" },
	{ 'r', "raw", NULL, "one blank between columns, blanks in texts as \\x20" },
	{ 'n', "noheadings", NULL, "no line of headings" },
	{ KEY_LIST_COLUMNS, "list-columns", NULL, "the columns that there are" },
};

struct list {
	const struct command *command;
	const struct list_kind *kind;
	const char *columns;
	enum table_style style;
	bool has_headings;
	char **globs;
	size_t n_globs;
	bool *found; /* for each glob */
};

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

static int refuse_column(const struct list *list, const char *name, size_t n)
{
	auto_free char *word = strndup(name, n);
	const char *near;

	for (char *c = word; c && *c; c++)
		*c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
	near = word ? nearest(word, next_column, list->kind) : NULL;
	if (near)
		return usage_error(list->command, "%s have no column '%.*s'; did you mean '%s'?",
				   list->kind->name, (int)n, name, near);
	return usage_error(list->command,
			   "%s have no column '%.*s'; `pmuq list --list-columns` shows them",
			   list->kind->name, (int)n, name);
}

static int add_named_columns(const struct list *list, struct table *table, const char *names)
{
	do {
		size_t n = strcspn(names, ",");
		const struct column *column = find_column(list->kind, names, n);

		if (!column)
			return refuse_column(list, names, n);
		if (!table_add_column(table, column))
			return STATUS_FAILED;
		names += n + (names[n] == ',');
	} while (*names);
	return STATUS_OK;
}

static int add_columns(const struct list *list, struct table *table)
{
	const char *names = list->columns;

	if (names && *names != '+')
		return add_named_columns(list, table, names);
	for (size_t i = 0; i < list->kind->n_columns; i++)
		if (list->kind->columns[i].flags & COLUMN_DEFAULT &&
		    !table_add_column(table, &list->kind->columns[i]))
			return STATUS_FAILED;
	return names ? add_named_columns(list, table, names + 1) : STATUS_OK;
}

/* Every glob is asked, so that each learns whether it found something. */
static bool is_wanted(struct list *list, const struct list_row *row)
{
	bool wanted = list->n_globs == 0;

	for (size_t i = 0; i < list->n_globs; i++) {
		if (!list->kind->matches(row, list->globs[i]))
			continue;
		list->found[i] = true;
		wanted = true;
	}
	return wanted;
}

static bool add_rows(struct list *list, struct table *table, const struct pmuq_catalog *catalog,
		     const struct pmuq_pmu *pmu)
{
	struct list_row row;

	for (size_t i = 0; list->kind->row(catalog, pmu, i, &row); i++)
		if (is_wanted(list, &row) && !table_add_row(table, &row))
			return false;
	return true;
}

static bool add_all_rows(struct list *list, struct table *table, const struct pmuq_catalog *catalog)
{
	if (list->kind->is_of_catalog)
		return add_rows(list, table, catalog, NULL);
	for (size_t i = 0; i < pmuq_catalog_pmu_count(catalog); i++)
		if (!add_rows(list, table, catalog, pmuq_catalog_pmu(catalog, i)))
			return false;
	return true;
}

static const char *next_kind(const void *of, size_t index)
{
	(void)of;
	return index < list_kinds_count ? list_kinds[index].name : NULL;
}

static int report_unmatched(const struct list *list)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < list->n_globs; i++) {
		const char *near = nearest(list->globs[i], next_kind, NULL);

		if (list->found[i])
			continue;
		status = STATUS_INVALID;
		if (near && i == 0 && list->kind == list_kinds)
			report(REPORT_ERROR, "no %s matches '%s'; did you mean `pmuq list %s`?",
			       list->kind->one, list->globs[i], near);
		else
			report(REPORT_ERROR, "no %s matches '%s'", list->kind->one, list->globs[i]);
	}
	return status;
}

static void note_problems(const struct list *list, const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_problem_count(catalog);

	if (n > 0 && !list->kind->is_of_catalog)
		report(REPORT_NOTE,
		       "%zu file%s could not be read or understood; `pmuq list problems` shows %s",
		       n, n == 1 ? "" : "s", n == 1 ? "it" : "them");
}

static int fill_and_print(struct list *list, struct table *table,
			  const struct pmuq_catalog *catalog)
{
	int status = add_columns(list, table);

	if (status != STATUS_OK)
		return status;
	if (!add_all_rows(list, table, catalog) || !table_print(table, stdout))
		return STATUS_FAILED;
	note_problems(list, catalog);
	return report_unmatched(list);
}

static int print_list(const struct cli *cli, struct list *list)
{
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	auto_free bool *found = calloc(list->n_globs + 1, sizeof(*found));
	struct table *table;
	int status;

	if (!found)
		return report_failed("out of memory");
	list->found = found;
	table = table_new(list->kind->name, list->style, list->has_headings);
	if (!table)
		return STATUS_FAILED;
	status = source_read(cli, &catalog);
	if (status == STATUS_OK)
		status = fill_and_print(list, table, catalog);
	table_free(table);
	return status;
}

static int print_columns(void)
{
	for (size_t i = 0; i < list_kinds_count; i++) {
		const struct list_kind *kind = &list_kinds[i];

		printf("%s%s:\n", i ? "\n" : "", kind->name);
		for (size_t k = 0; k < kind->n_columns; k++)
			printf("  %-11s %c %s\n", kind->columns[k].name,
			       kind->columns[k].flags & COLUMN_DEFAULT ? '*' : ' ',
			       kind->columns[k].help);
	}
	printf("\n* stands in the list without -o\n");
	return STATUS_OK;
}

static int run_list(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct list list = { .command = command, .kind = list_kinds, .has_headings = true };
	struct options options;
	const struct list_kind *kind;
	int key;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		switch (key) {
		case 'o':
			list.columns = optarg;
			break;
		case 'J':
			list.style = TABLE_JSON;
			break;
		case 'r':
			list.style = TABLE_RAW;
			break;
		case 'n':
			list.has_headings = false;
			break;
		case KEY_LIST_COLUMNS:
			return print_columns();
		default:
			return options.status;
		}
	}
	kind = optind < argc ? list_kind_find(argv[optind]) : NULL;
	if (kind) {
		list.kind = kind;
		optind++;
	}
	list.globs = argv + optind;
	list.n_globs = (size_t)(argc - optind);
	return print_list(cli, &list);
}

const struct command cmd_list = {
	.name = "list",
	.arguments = "[pmus|events|formats|problems] [GLOB...]",
	.summary = "what the machine offers, as a table",
	.text = "A GLOB (* ? [abc]) picks PMUs by their name; events and formats by the PMU's "
		"name, their\n"
		"own, or both as PMU/NAME; problems by the file. One that matches nothing: exit "
		"status 1.\n"
		"\nExamples:\n"
		"  pmuq list\n"
		"  pmuq list events 'uncore_imc_0/*'\n"
		"  pmuq list formats cpu -o FORMAT,MASK\n"
		"  pmuq list -J -o +ALIAS,KIND\n",
	.options = list_options,
	.n_options = COUNT(list_options),
	.run = run_list,
};
