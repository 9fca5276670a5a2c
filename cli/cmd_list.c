/* SPDX-License-Identifier: MIT */
/* `pmuq list`: what the machine offers, as a table. The kinds and columns are in list_kinds.c. */
#include "cli/cmd.h"
#include "cli/list.h"
#include "cli/list_fold.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/report.h"
#include "cli/source.h"
#include "cli/terminal.h"
#include <string.h>
#include <strings.h>

enum {
	KEY_LIST_COLUMNS = OPTION_LONG,
	KEY_ALL,
	KEY_FOLD,
	KEY_NO_PAGER,
};

static const struct option_row list_options[] = {
	{ 'o', "output", "COLUMNS", "these columns, A,B,C; +A,B adds to the usual ones" },
	{ 'J', "json", NULL, "JSON" },
	{ 'r', "raw", NULL, "one blank between columns, blanks in texts as \\x20" },
	{ 'n', "noheadings", NULL, "no line of headings" },
	{ KEY_ALL, "all", NULL,
	  "a row for each PMU; on a terminal those that are alike stand as one" },
	{ KEY_FOLD, "fold", NULL, "PMUs that are alike as one, also in a pipe" },
	{ KEY_NO_PAGER, "no-pager", NULL, "no pager where the terminal is too small" },
	{ KEY_LIST_COLUMNS, "list-columns", NULL, "the columns that there are" },
};

#define COLUMNS_MAX 32

struct list_rows {
	struct list_row *at;
	size_t n, size;
};

struct list {
	const struct command *command;
	const struct list_kind *kind;
	const char *names; /* of columns, as written behind -o */
	const struct column *columns[COLUMNS_MAX];
	size_t n_columns, n_usual; /* the usual ones come first */
	enum table_style style;
	bool has_headings, is_folded, wants_pager;
	char **globs;
	size_t n_globs;
	bool *found; /* for each glob */
	struct list_rows rows;
	struct list_fold fold;
	const struct pmuq_check *check; /* NULL: nobody knows what opens */
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

/* A column has one place: a second would be a second key of that name in JSON. */
static int choose(struct list *list, const struct column *column)
{
	for (size_t i = 0; i < list->n_columns; i++)
		if (list->columns[i] == column)
			return STATUS_OK;
	if (list->n_columns == COLUMNS_MAX)
		return usage_error(list->command, "more than %d columns", COLUMNS_MAX);
	list->columns[list->n_columns++] = column;
	return STATUS_OK;
}

static int choose_named(struct list *list, const char *names)
{
	int status;

	do {
		size_t n = strcspn(names, ",");
		const struct column *column = find_column(list->kind, names, n);

		if (!column)
			return refuse_column(list, names, n);
		status = choose(list, column);
		if (status != STATUS_OK)
			return status;
		names += n + (names[n] == ',');
	} while (*names);
	return STATUS_OK;
}

static int choose_columns(struct list *list)
{
	const char *names = list->names;
	unsigned usual = COLUMN_DEFAULT | (list->check ? COLUMN_CHECKED : 0);

	list->n_columns = 0;
	if (names && *names != '+')
		return choose_named(list, names);
	for (size_t i = 0; i < list->kind->n_columns; i++)
		if (list->kind->columns[i].flags & usual)
			choose(list, &list->kind->columns[i]);
	list->n_usual = list->n_columns;
	return names ? choose_named(list, names + 1) : STATUS_OK;
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

static bool add_row(struct list_rows *rows, const struct list_row *row)
{
	if (rows->n == rows->size) {
		size_t size = rows->size ? 2 * rows->size : 64;
		struct list_row *grown = realloc(rows->at, size * sizeof(*grown));

		if (!grown)
			return false;
		rows->at = grown;
		rows->size = size;
	}
	rows->at[rows->n++] = *row;
	return true;
}

/* The rows of a PMU, or of the catalog where pmu is NULL, that are wanted. */
static bool add_wanted(struct list *list, struct list_rows *rows,
		       const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu)
{
	struct list_row row;

	for (size_t i = 0; list->kind->row(catalog, pmu, i, &row); i++) {
		row.check = list->check;
		if (is_wanted(list, &row) && !add_row(rows, &row))
			return false;
	}
	return true;
}

static bool add_folded(struct list *list, const struct pmuq_catalog *catalog)
{
	struct list_rows rows = { 0 };
	bool is_fine = true;

	for (size_t i = 0; is_fine && i < pmuq_catalog_pmu_count(catalog); i++) {
		rows.n = 0;
		is_fine = add_wanted(list, &rows, catalog, pmuq_catalog_pmu(catalog, i)) &&
			  list_fold_add(&list->fold, rows.at, rows.n);
	}
	free(rows.at);
	for (size_t i = 0; is_fine && i < list->fold.n_groups; i++) {
		const struct list_group *group = &list->fold.groups[i];

		for (size_t k = 0; is_fine && k < group->n_rows; k++) {
			struct list_row row = group->rows[k];

			row.boxes = group->boxes.n > 1 ? &group->boxes : NULL;
			is_fine = add_row(&list->rows, &row);
		}
	}
	return is_fine;
}

static bool add_all_rows(struct list *list, const struct pmuq_catalog *catalog)
{
	if (list->kind->is_of_catalog)
		return add_wanted(list, &list->rows, catalog, NULL);
	if (list->is_folded)
		return add_folded(list, catalog);
	for (size_t i = 0; i < pmuq_catalog_pmu_count(catalog); i++)
		if (!add_wanted(list, &list->rows, catalog, pmuq_catalog_pmu(catalog, i)))
			return false;
	return true;
}

/* ------------------------------------------------------------------------------- what fits */

static size_t column_width(const struct list *list, const struct column *column)
{
	size_t widest = strlen(column->name);

	for (size_t i = 0; i < list->rows.n; i++) {
		auto_free char *text = column->text(&list->rows.at[i]);
		size_t n = text ? strlen(text) : 0;

		widest = n > widest ? n : widest;
	}
	return widest;
}

/* The usual columns that others tell as well go first, from the right. */
static void leave_out_spare(struct list *list, unsigned columns)
{
	size_t widths[COLUMNS_MAX], total = list->n_columns;

	for (size_t i = 0; i < list->n_columns; i++)
		total += widths[i] = column_width(list, list->columns[i]);
	for (size_t i = list->n_usual; i-- > 0 && total - 1 > columns;) {
		if (!(list->columns[i]->flags & COLUMN_SPARE))
			continue;
		total -= widths[i] + 1;
		list->n_columns--;
		memmove(&list->columns[i], &list->columns[i + 1],
			(list->n_columns - i) * sizeof(list->columns[0]));
	}
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

/* Programs get the table as it comes, people one that fits their terminal or goes to a pager. */
static bool print_table(const struct list *list, struct table *table)
{
	auto_free char *text = NULL;
	size_t n_text;
	FILE *to;
	bool is_fine;

	if (list->style != TABLE_PLAIN || !terminal_is(stdout))
		return table_print(table, stdout);
	to = open_memstream(&text, &n_text);
	if (!to) {
		report_failed("out of memory");
		return false;
	}
	is_fine = table_print(table, to);
	fclose(to);
	if (is_fine)
		pager_print(text, list->wants_pager);
	return is_fine;
}

static bool fill(const struct list *list, struct table *table)
{
	for (size_t i = 0; i < list->n_columns; i++)
		if (!table_add_column(table, list->columns[i]))
			return false;
	for (size_t i = 0; i < list->rows.n; i++)
		if (!table_add_row(table, &list->rows.at[i]))
			return false;
	return true;
}

static int fill_and_print(struct list *list, struct table *table,
			  const struct pmuq_catalog *catalog)
{
	unsigned columns = list->style == TABLE_PLAIN ? terminal_columns(0) : 0;

	list->fold.columns = list->columns;
	list->fold.n_columns = list->n_columns;
	if (!add_all_rows(list, catalog))
		return report_failed("out of memory");
	if (columns)
		leave_out_spare(list, columns);
	table_set_width(table, columns);
	if (list->is_folded)
		table_set_folded(table);
	if (!fill(list, table) || !print_table(list, table))
		return STATUS_FAILED;
	note_problems(list, catalog);
	return report_unmatched(list);
}

/* Only where a column has use for it is the database looked at. The columns that were asked for are
 * known to exist. */
static int find_check(const struct cli *cli, struct list *list, const struct pmuq_catalog *catalog,
		      struct pmuq_check **ret_own)
{
	bool is_wanted_here = false;
	int status;

	for (size_t i = 0; i < list->kind->n_columns; i++)
		is_wanted_here |= (list->kind->columns[i].flags & COLUMN_CHECKED) != 0;
	if (!is_wanted_here)
		return STATUS_OK;
	status = source_find_check(cli, catalog, ret_own, &list->check);
	return status == STATUS_OK ? choose_columns(list) : status;
}

static int print_list(const struct cli *cli, struct list *list)
{
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(check_freep) struct pmuq_check *check = NULL;
	auto_free bool *found = calloc(list->n_globs + 1, sizeof(*found));
	struct table *table;
	int status;

	if (!found)
		return report_failed("out of memory");
	list->found = found;
	status = choose_columns(list);
	if (status != STATUS_OK)
		return status;
	table = table_new(list->kind->name, list->style, list->has_headings);
	if (!table)
		return STATUS_FAILED;
	status = source_read(cli, &catalog);
	if (status == STATUS_OK)
		status = find_check(cli, list, catalog, &check);
	if (status == STATUS_OK)
		status = fill_and_print(list, table, catalog);
	table_free(table);
	list_fold_clear(&list->fold);
	free(list->rows.at);
	return status;
}

static char column_mark(const struct column *column)
{
	if (column->flags & COLUMN_CHECKED)
		return '?';
	return column->flags & COLUMN_DEFAULT ? '*' : ' ';
}

static int print_columns(void)
{
	for (size_t i = 0; i < list_kinds_count; i++) {
		const struct list_kind *kind = &list_kinds[i];

		printf("%s%s:\n", i ? "\n" : "", kind->name);
		for (size_t k = 0; k < kind->n_columns; k++)
			printf("  %-11s %c %s\n", kind->columns[k].name,
			       column_mark(&kind->columns[k]), kind->columns[k].help);
	}
	printf("\n* stands in the list without -o, ? if the machine was checked\n");
	return STATUS_OK;
}

enum list_folding {
	FOLD_ON_TERMINAL,
	FOLD_ALWAYS,
	FOLD_NEVER,
};

static void take_option(struct list *list, enum list_folding *folding, int key)
{
	switch (key) {
	case 'o':
		list->names = optarg;
		break;
	case 'J':
		list->style = TABLE_JSON;
		break;
	case 'r':
		list->style = TABLE_RAW;
		break;
	case 'n':
		list->has_headings = false;
		break;
	case KEY_ALL:
		*folding = FOLD_NEVER;
		break;
	case KEY_FOLD:
		*folding = FOLD_ALWAYS;
		break;
	default:
		list->wants_pager = false;
		break;
	}
}

static int run_list(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct list list = {
		.command = command,
		.kind = list_kinds,
		.has_headings = true,
		.wants_pager = true,
	};
	enum list_folding folding = FOLD_ON_TERMINAL;
	struct options options;
	const struct list_kind *kind;
	int key;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		if (key == KEY_LIST_COLUMNS)
			return print_columns();
		take_option(&list, &folding, key);
	}
	list.is_folded =
		folding == FOLD_ALWAYS ||
		(folding == FOLD_ON_TERMINAL && list.style == TABLE_PLAIN && terminal_is(stdout));
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
	.arguments = "[pmus|events|formats|facts|problems] [GLOB...]",
	.summary = "what the machine offers, as a table",
	.text = "A GLOB (* ? [abc]) picks PMUs by their name; events and formats by the PMU's "
		"name, their\n"
		"own, or both as PMU/NAME; facts by their name, problems by the file. One that "
		"matches\n"
		"nothing: exit status 1.\n"
		"\nExamples:\n"
		"  pmuq list\n"
		"  pmuq list events 'uncore_imc_0/*'\n"
		"  pmuq list formats cpu -o FORMAT,MASK\n"
		"  pmuq list -J -o +ALIAS,KIND\n",
	.options = list_options,
	.n_options = COUNT(list_options),
	.run = run_list,
};
