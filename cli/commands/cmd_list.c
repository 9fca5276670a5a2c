/* SPDX-License-Identifier: MIT */
/*
 * `pmuq list`: prints what the machine offers, as a table: PMUs, events, formats, facts or
 * problems. tables/list_types.c has the types of lists, their fields and their globs,
 * list_sources.c the sources of events. This file chooses rows, folds sibling instances into one
 * row, and prints.
 */
#include "cli/cmd.h"
#include "cli/events/event_strings.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/output/rows.h"
#include "cli/perf_habits.h"
#include "cli/report.h"
#include "cli/tables/list_fold.h"
#include "cli/tables/list_sources.h"
#include "cli/terminal.h"
#include "core/text/no_tracepoints.h"
#include <string.h>

/* A terminal of this width has space for descriptions. */
#define WIDE_COLUMNS 160

struct list {
	const struct options *options;
	const struct list_type *type;
	struct list_sources sources;
	struct planned metrics;
	bool is_folded;
	char **globs;
	size_t n_globs;
	bool *found; /* for each glob */
	struct list_rows rows;
	struct list_fold fold;
	const struct pmuq_check *check; /* NULL: no event was opened */
};

/* Some of the default columns depend on the known facts about the events. */
static unsigned default_columns(const struct list *list)
{
	unsigned usual = FIELD_SHOWN | (list->check ? FIELD_CHECKED : 0);
	bool has_descriptions = list->sources.table || list->sources.pfm;

	if (!list->type->is_of_events)
		return usual;
	if (list_sources_are_many(&list->sources))
		usual |= FIELD_SOURCED;
	if (list->sources.table)
		usual |= FIELD_VENDOR;
	if (has_descriptions && output_is_for_people(&list->options->output) &&
	    terminal_columns(0) >= WIDE_COLUMNS)
		usual |= FIELD_WIDE;
	return usual;
}

/* Every glob is tried, to find out whether it matches anything. */
static bool is_wanted(struct list *list, const struct list_row *row)
{
	bool wanted = list->n_globs == 0;

	for (size_t i = 0; i < list->n_globs; i++) {
		if (!list_row_matches(row, list->globs[i]))
			continue;
		list->found[i] = true;
		wanted = true;
	}
	return wanted;
}

/* The selected rows of a PMU, or of the catalog if pmu is NULL. */
static enum status add_wanted(struct list *list, struct list_rows *rows,
			      const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu)
{
	struct list_input input = { .catalog = catalog, .pmu = pmu, .planned = &list->metrics };
	struct list_row row;
	enum status status = list->type->is_of_events
				     ? list_sources_gather(&list->sources, pmu, &input.events)
				     : STATUS_OK;

	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; list->type->row(&input, i, &row); i++) {
		row.check = list->check;
		if (is_wanted(list, &row))
			push_or_die(rows, row);
	}
	return STATUS_OK;
}

/* A group is the rows of PMUs with equal rows; its first PMU represents all. */
static void add_groups(struct list *list)
{
	for (size_t i = 0; i < list->fold.n; i++) {
		const struct list_group *group = &list->fold.v[i];

		for (size_t k = 0; k < group->n_rows; k++) {
			struct list_row row = group->rows[k];

			row.instances = group->instances.n > 1 ? &group->instances : NULL;
			push_or_die(&list->rows, row);
		}
	}
}

/* PMU by PMU, since instances are folded if all their selected rows are equal. */
static enum status add_folded(struct list *list, const struct pmuq_catalog *catalog)
{
	struct list_rows rows = { 0 };
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		rows.n = 0;
		status = add_wanted(list, &rows, catalog, pmuq_catalog_pmu(catalog, i));
		if (status == STATUS_OK)
			list_fold_add(&list->fold, rows.v, rows.n);
	}
	pq_vec_free(&rows);
	if (status == STATUS_OK)
		add_groups(list);
	return status;
}

static enum status add_all_rows(struct list *list, const struct pmuq_catalog *catalog)
{
	enum status status = STATUS_OK;

	if (list->type->is_of_catalog)
		return add_wanted(list, &list->rows, catalog, NULL);
	if (list->is_folded)
		return add_folded(list, catalog);
	for (size_t i = 0; status == STATUS_OK && i < pmuq_catalog_machine(catalog)->n_pmus; i++)
		status = add_wanted(list, &list->rows, catalog, pmuq_catalog_pmu(catalog, i));
	return status;
}

static const char *next_type(const void *of, size_t index)
{
	(void)of;
	return index < list_types_count ? list_types[index]->document->rows : NULL;
}

/* The default type of list is PMUs, so a word that perf's list has is taken for a glob. Returns
 * whether it is one. */
static bool report_habit(const struct list *list, size_t glob)
{
	const char *word = list->globs[glob], *hint = perf_list_hint(word);

	if (!hint || glob > 0 || list->type != list_types[0])
		return false;
	if (list->found[glob])
		report(REPORT_NOTE, "%s", hint);
	else
		report(REPORT_ERROR, "no PMU matches '%s'; %s", word, hint);
	return true;
}

/* "sched:*"; libpfm4's names have two colons. */
static bool is_like_tracepoint(const char *word)
{
	const char *colon = strchr(word, ':');

	return (colon && colon[1] != ':') || strcmp(word, "tracepoint") == 0;
}

/* A misspelt type is taken for a glob, too: the hint explains that. */
static void report_unmatched(const struct list *list, size_t glob)
{
	const char *word = list->globs[glob], *near = nearest(word, next_type, NULL);
	const struct pmuq_vendor_event *absent = list_sources_find_absent(&list->sources, word);

	if (absent)
		report(REPORT_ERROR,
		       "no event of this machine matches '%s'; the table of its CPU has '%s' of "
		       "the PMU %s, which the machine does not have",
		       word, absent->event->name.p, absent->pmu.p);
	else if (list->type->is_of_events && is_like_tracepoint(word))
		report(REPORT_ERROR,
		       "no event matches '%s'; `pmuq list tracepoints` lists the tracepoints",
		       word);
	else if (near && glob == 0 && list->type == list_types[0])
		report(REPORT_ERROR, "no PMU matches '%s'; did you mean `pmuq list %s`?", word,
		       near);
	else
		report(REPORT_ERROR, "no %s matches '%s'", list->type->one, word);
}

static enum status report_globs(const struct list *list)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < list->n_globs; i++) {
		if (!report_habit(list, i) && !list->found[i])
			report_unmatched(list, i);
		if (!list->found[i])
			status = STATUS_INVALID;
	}
	return status;
}

/* Most machines have tracepoints, but not everybody may read them. */
static void note_no_tracepoints(const struct list *list, const struct pmuq_catalog *catalog)
{
	if (list->type == &list_of_tracepoints && pmuq_catalog_machine(catalog)->n_tracepoints == 0)
		report(REPORT_NOTE, PQ_NO_TRACEPOINTS);
}

/* A missing PMU or event may be a file that could not be read. */
static void note_problems(const struct list *list, const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_problems;

	if (n > 0 && !list->type->is_of_catalog)
		report(REPORT_NOTE,
		       "%zu file%s could not be read or understood; `pmuq list problems` shows %s",
		       n, n == 1 ? "" : "s", n == 1 ? "it" : "them");
}

/* Documents are written row by row, but a table needs all rows for its widths. */
static enum status find_and_print(struct list *list, const struct pmuq_catalog *catalog)
{
	struct rows rows;
	enum status status;

	rows_begin(&rows, list->type->document, &list->options->output, default_columns(list));
	list->fold.fields = rows.columns.v;
	status = add_all_rows(list, catalog);
	for (size_t i = 0; status == STATUS_OK && i < list->rows.n; i++) {
		const struct list_row *row = &list->rows.v[i];

		rows_add(&rows, row->record ? row->record : row);
	}
	status = status_worse(status, rows_end(&rows));
	if (status != STATUS_OK)
		return status;
	note_no_tracepoints(list, catalog);
	if (list->sources.pfm)
		list_pfm_note_cpu(list->sources.pfm, pmuq_catalog_find_fact(catalog, "cpuid"));
	note_problems(list, catalog);
	return report_globs(list);
}

/* Whether the database may have results of opening the rows, which is known of a whole machine. */
static bool may_be_checked(const struct list *list)
{
	return columns_exist(list->type->document->row, FIELD_CHECKED);
}

static bool needs_tracepoints(const struct list *list)
{
	return list->type == &list_of_tracepoints || may_be_checked(list);
}

/* Tables of vendors and libpfm4 are opened only for lists of events. */
static enum status read_machine(const struct cli *cli, struct list *list, struct pmuq_catalog **ret)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status = source_open(cli, &source);

	if (status != STATUS_OK)
		return status;
	if ((needs_tracepoints(list) ? pmuq_source_read_catalog(source, ret, &error)
				     : pmuq_source_read_pmus(source, ret, &error)) < 0)
		return report_error(error, NULL);
	if (list->type->open)
		return list->type->open(&list->metrics, cli, source, list->sources.vendor, ret);
	if (!list->type->is_of_events)
		return STATUS_OK;
	return list_sources_open(&list->sources, cli, source, *ret);
}

static enum status find_check(const struct cli *cli, struct list *list,
			      const struct pmuq_catalog *catalog, struct pmuq_check **ret_own)
{
	if (!may_be_checked(list))
		return STATUS_OK;
	return source_find_check(cli, catalog, ret_own, &list->check);
}

/* Unknown columns are reported before the machine is read. */
static enum status test_columns(const struct list *list)
{
	struct columns columns;

	return columns_choose(&columns, list->type->document->row, list->options->output.columns,
			      FIELD_SHOWN);
}

static enum status print_list(struct list *list)
{
	const struct cli *cli = &list->options->cli;
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(pmuq_check_freep) struct pmuq_check *check = NULL;
	auto_free bool *found = or_die(calloc(list->n_globs + 1, sizeof(*found)));
	enum status status = test_columns(list);

	if (status != STATUS_OK)
		return status;
	list->found = found;
	status = read_machine(cli, list, &catalog);
	if (status == STATUS_OK)
		status = find_check(cli, list, catalog, &check);
	if (status == STATUS_OK)
		status = find_and_print(list, catalog);
	list_fold_clear(&list->fold);
	list_sources_close(&list->sources);
	planned_close(&list->metrics);
	pq_vec_free(&list->rows);
	return status;
}

/* The type of list is the first operand, if it is one. */
static void take_operands(struct list *list)
{
	const struct options *options = list->options;
	const struct list_type *type =
		options->n_operands ? list_type_find(options->operands[0]) : NULL;

	list->type = type ? type : list_types[0];
	list->globs = options->operands + (type != NULL);
	list->n_globs = options->n_operands - (type != NULL);
}

static enum status run_list(const struct options *options)
{
	bool wants_all = option_is_set(options, OPTION_ALL);
	bool wants_fold = option_is_set(options, OPTION_FOLD);
	struct list list = {
		.options = options,
		.sources = { .vendor = option_value(options, OPTION_VENDOR) },
		.is_folded = wants_fold || (!wants_all && terminal_is(stdout) &&
					    output_is_for_people(&options->output)),
	};
	/* "all" also selects sources that happen to exist, such as a database that was not named.
	 */
	enum status status = strings_take_sources(options, LIST_SOURCES_MASK, &list.sources.is_all,
						  &list.sources.from);

	if (status != STATUS_OK)
		return status;
	take_operands(&list);
	if (wants_all && wants_fold)
		return usage_error("--all and --fold exclude each other");
	if (list.sources.from && !list.type->is_of_events)
		return usage_error("--from is for `list events`");
	if (list.sources.vendor && !list.type->is_of_events && !list.type->open)
		return usage_error("--vendor is for `list events`, `list metrics` and "
				   "`list metricgroups`");
	return print_list(&list);
}

const struct command cmd_list = {
	.name = "list",
	.arguments =
		"[pmus|events|tracepoints|formats|facts|metrics|metricgroups|problems] [GLOB...]",
	.summary = "list PMUs, events, tracepoints, formats, facts, metrics or problems",
	.text = "A GLOB (* ? [abc]) selects PMUs by name; events and formats by the name of the\n"
		"PMU, their own, or PMU/NAME; tracepoints by SUBSYSTEM:NAME or one of the two;\n"
		"facts by name; metrics by their name or a metric group; metric groups by name;\n"
		"problems by the path of the file. On a terminal, sibling\n"
		"instances are one row unless --all is used. Events are those of sysfs, the\n"
		"kernel's generic ones and, with --vendor, --host or --db, those of the CPU's\n"
		"imported table; --from selects sources: " LIST_SOURCES ", or all. The\n"
		"exit status is 1 if a GLOB matches nothing.\n\n"
		"Examples:\n"
		"  pmuq list\n"
		"  pmuq list tracepoints 'sched:*'\n"
		"  pmuq list events 'uncore_imc_0/*'\n"
		"  pmuq list formats cpu -o FORMAT,MASK\n"
		"  pmuq list events --vendor auto '*l3*' -o +DESCRIPTION\n"
		"  pmuq list metricgroups\n"
		"  pmuq list metrics TopdownL1 -o +FORMULA\n"
		"  pmuq list --json -o NAME,ALIAS,DEFINITION\n",
	.options = OPTION_LIST(OPTIONS_TABLE, OPTIONS_DOCUMENT, OPTION_ALL, OPTION_FOLD,
			       OPTION_FROM, OPTION_VENDOR),
	.documents = list_documents,
	.run = run_list,
};
