/* SPDX-License-Identifier: MIT */
/* `pmuq list`: what the machine offers, as a table. The kinds and columns are in list_kinds.c. */
#include "cli/cmd.h"
#include "cli/events/event_strings.h"
#include "cli/machine_source.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/report.h"
#include "cli/tables/list_columns.h"
#include "cli/tables/list_fold.h"
#include "cli/tables/list_sources.h"
#include "cli/terminal.h"
#include <string.h>

enum {
	KEY_LIST_COLUMNS = OPTION_LONG,
	KEY_FROM,
	KEY_VENDOR,
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
	{ KEY_FROM, "from", "LIST", "events of these sources: " LIST_SOURCES "; or all" },
	{ KEY_VENDOR, "vendor", "CPUID|auto",
	  "events of the tables in the database, too; auto: the machine's CPU" },
	{ KEY_LIST_COLUMNS, "list-columns", NULL, "the columns that there are" },
};

/* From here on there is room for descriptions. */
#define ROOMY_COLUMNS 160

struct list_rows {
	struct list_row *at;
	size_t n, size;
};

struct list {
	const struct command *command;
	const struct list_kind *kind;
	const char *names; /* of columns, as written behind -o */
	struct list_columns columns;
	struct list_sources sources;
	enum table_style style;
	bool has_headings, is_folded, wants_pager;
	char **globs;
	size_t n_globs;
	bool *found; /* for each glob */
	struct list_rows rows;
	struct list_fold fold;
	const struct pmuq_check *check; /* NULL: nobody knows what opens */
};

/* The usual columns are known when the sources are. */
static int choose_columns(struct list *list)
{
	bool is_wide = list->style == TABLE_PLAIN && terminal_columns(0) >= ROOMY_COLUMNS;
	unsigned usual = COLUMN_DEFAULT | (list->check ? COLUMN_CHECKED : 0);

	if (list_sources_are_many(&list->sources) && list->kind->is_of_events)
		usual |= COLUMN_SOURCED | (is_wide ? COLUMN_ROOMY : 0);
	return list_columns_choose(&list->columns, list->command, list->names, usual);
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

/* The rows of a PMU, or of the catalog where pmu is NULL, that are wanted. Answers a status, as the
 * next ones do. */
static int add_wanted(struct list *list, struct list_rows *rows, const struct pmuq_catalog *catalog,
		      const struct pmuq_pmu *pmu)
{
	struct list_place place = { .catalog = catalog, .pmu = pmu };
	struct list_row row;
	int status = list->kind->is_of_events
			     ? list_sources_gather(&list->sources, pmu, &place.events)
			     : STATUS_OK;

	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; list->kind->row(&place, i, &row); i++) {
		row.check = list->check;
		if (is_wanted(list, &row) && !add_row(rows, &row))
			return report_failed("out of memory");
	}
	return STATUS_OK;
}

static bool add_groups(struct list *list)
{
	for (size_t i = 0; i < list->fold.n_groups; i++) {
		const struct list_group *group = &list->fold.groups[i];

		for (size_t k = 0; k < group->n_rows; k++) {
			struct list_row row = group->rows[k];

			row.boxes = group->boxes.n > 1 ? &group->boxes : NULL;
			if (!add_row(&list->rows, &row))
				return false;
		}
	}
	return true;
}

static int add_folded(struct list *list, const struct pmuq_catalog *catalog)
{
	struct list_rows rows = { 0 };
	int status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		rows.n = 0;
		status = add_wanted(list, &rows, catalog, pmuq_catalog_pmu(catalog, i));
		if (status == STATUS_OK && !list_fold_add(&list->fold, rows.at, rows.n))
			status = report_failed("out of memory");
	}
	free(rows.at);
	if (status == STATUS_OK && !add_groups(list))
		status = report_failed("out of memory");
	return status;
}

static int add_all_rows(struct list *list, const struct pmuq_catalog *catalog)
{
	int status = STATUS_OK;

	if (list->kind->is_of_catalog)
		return add_wanted(list, &list->rows, catalog, NULL);
	if (list->is_folded)
		return add_folded(list, catalog);
	for (size_t i = 0; status == STATUS_OK && i < pmuq_catalog_machine(catalog)->n_pmus; i++)
		status = add_wanted(list, &list->rows, catalog, pmuq_catalog_pmu(catalog, i));
	return status;
}

static const char *next_kind(const void *of, size_t index)
{
	(void)of;
	return index < list_kinds_count ? list_kinds[index]->name : NULL;
}

static int report_unmatched(const struct list *list)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < list->n_globs; i++) {
		const char *near = nearest(list->globs[i], next_kind, NULL);

		if (list->found[i])
			continue;
		status = STATUS_INVALID;
		if (near && i == 0 && list->kind == list_kinds[0])
			report(REPORT_ERROR, "no %s matches '%s'; did you mean `pmuq list %s`?",
			       list->kind->one, list->globs[i], near);
		else
			report(REPORT_ERROR, "no %s matches '%s'", list->kind->one, list->globs[i]);
	}
	return status;
}

static void note_problems(const struct list *list, const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_problems;

	if (n > 0 && !list->kind->is_of_catalog)
		report(REPORT_NOTE,
		       "%zu file%s could not be read or understood; `pmuq list problems` shows %s",
		       n, n == 1 ? "" : "s", n == 1 ? "it" : "them");
}

static bool fill(const struct list *list, struct table *table)
{
	for (size_t i = 0; i < list->columns.n; i++)
		if (!table_add_column(table, list->columns.at[i]))
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
	int status;

	list->fold.columns = list->columns.at;
	list->fold.n_columns = list->columns.n;
	status = add_all_rows(list, catalog);
	if (status != STATUS_OK)
		return status;
	if (columns)
		list_columns_fit(&list->columns, list->rows.at, list->rows.n, columns);
	table_set_width(table, columns);
	if (list->is_folded)
		table_set_folded(table);
	if (!fill(list, table) || !pager_print_table(table, list->style, list->wants_pager))
		return STATUS_FAILED;
	note_problems(list, catalog);
	return report_unmatched(list);
}

static int read_machine(const struct cli *cli, struct list *list, struct pmuq_catalog **ret)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int status = source_open(cli, &source);

	if (status != STATUS_OK)
		return status;
	if (pmuq_source_read_catalog(source, ret, &error) < 0)
		return report_error(error, NULL);
	if (!list->kind->is_of_events)
		return STATUS_OK;
	return list_sources_open(&list->sources, cli, source, *ret);
}

/* Only where a column has use for it is the database looked at. The columns that were asked for are
 * known to exist. */
static int find_check(const struct cli *cli, struct list *list, const struct pmuq_catalog *catalog,
		      struct pmuq_check **ret_own)
{
	int status = STATUS_OK;

	if (list_columns_know(&list->columns, COLUMN_CHECKED))
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
	list->columns.kind = list->kind;
	status = choose_columns(list);
	if (status != STATUS_OK)
		return status;
	table = table_new(list->kind->name, list->style, list->has_headings);
	if (!table)
		return STATUS_FAILED;
	status = read_machine(cli, list, &catalog);
	if (status == STATUS_OK)
		status = find_check(cli, list, catalog, &check);
	if (status == STATUS_OK)
		status = fill_and_print(list, table, catalog);
	table_free(table);
	list_fold_clear(&list->fold);
	list_sources_close(&list->sources);
	free(list->rows.at);
	return status;
}

enum list_folding {
	FOLD_ON_TERMINAL,
	FOLD_ALWAYS,
	FOLD_NEVER,
};

static int take_from(struct list *list)
{
	int status;

	if (strcmp(optarg, LIST_SOURCES_ALL) == 0) {
		list->sources.from = LIST_SOURCES_MASK;
		list->sources.is_all = true;
		return STATUS_OK;
	}
	status = ask_take_from(list->command, optarg, &list->sources.from);
	if (status != STATUS_OK || !(list->sources.from & ~(unsigned)LIST_SOURCES_MASK))
		return status;
	return usage_error(list->command, "--from %s: what can be listed is of %s", optarg,
			   LIST_SOURCES);
}

static int take_option(struct list *list, enum list_folding *folding, int key)
{
	switch (key) {
	case KEY_FROM:
		return take_from(list);
	case KEY_VENDOR:
		list->sources.vendor = optarg;
		break;
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
	return STATUS_OK;
}

static int run_list(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct list list = {
		.command = command,
		.kind = list_kinds[0],
		.has_headings = true,
		.wants_pager = true,
	};
	enum list_folding folding = FOLD_ON_TERMINAL;
	struct options options;
	const struct list_kind *kind;
	int key, status;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		if (key == KEY_LIST_COLUMNS) {
			list_columns_print();
			return STATUS_OK;
		}
		status = take_option(&list, &folding, key);
		if (status != STATUS_OK)
			return status;
	}
	list.is_folded =
		folding == FOLD_ALWAYS ||
		(folding == FOLD_ON_TERMINAL && list.style == TABLE_PLAIN && terminal_is(stdout));
	kind = optind < argc ? list_kind_find(argv[optind]) : NULL;
	if (kind) {
		list.kind = kind;
		optind++;
	}
	if ((list.sources.vendor || list.sources.from) && !list.kind->is_of_events)
		return usage_error(command, "--vendor and --from are for `list events`");
	list.globs = argv + optind;
	list.n_globs = (size_t)(argc - optind);
	return print_list(cli, &list);
}

const struct command cmd_list = {
	.name = "list",
	.arguments = "[pmus|events|formats|facts|problems] [GLOB...]",
	.summary = "what the machine offers, as a table",
	.text = "A GLOB (* ? [abc]) picks PMUs by their name; events and formats by the PMU's\n"
		"name, their own, or both as PMU/NAME; facts by their name, problems by the\n"
		"file. One that matches nothing: exit status 1. Events are those of files, and\n"
		"of the CPU's table if --vendor, --host or --db name one; --from also takes\n"
		"generic ones, and libpfm4's; --from all, whatever there is.\n\n"
		"Examples:\n"
		"  pmuq list\n"
		"  pmuq list events 'uncore_imc_0/*'\n"
		"  pmuq list formats cpu -o FORMAT,MASK\n"
		"  pmuq list events --vendor auto '*l3*' -o +DESCRIPTION\n"
		"  pmuq list -J -o +ALIAS,KIND\n",
	.options = list_options,
	.n_options = COUNT(list_options),
	.run = run_list,
};
