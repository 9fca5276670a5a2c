/* SPDX-License-Identifier: MIT */
/*
 * `pmuq vendor`: imports tables of vendors' events into the database, lists and removes them. It is
 * the only command with verbs: each is a row of verbs[], with the options that it takes.
 * vendor/import/ of the library reads trees of tables.
 */
#include "cli/clock.h"
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output/error_record.h"
#include "cli/output/rows.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/verbs.h"
#include <string.h>

// clang-format off
static const struct field import_fields[] = {
	{ .name = STR("name"),      .type = FIELD_TEXT,  .flags = FIELD_SHOWN, .width = 8,
	  MEMBER(struct pmuq_vendor_import, name),       .help = "name of the import" },
	{ .name = STR("layout"),    .type = FIELD_TEXT,  .flags = FIELD_SHOWN, .width = 6,
	  MEMBER(struct pmuq_vendor_import, layout),     .help = "layout of its tree: kernel, perfmon, telemetry; or libpfm4" },
	{ .name = STR("imported"),  .type = FIELD_TIME,  .flags = FIELD_SHOWN, .width = 16,
	  MEMBER(struct pmuq_vendor_import, time_s),     .help = "when it was imported, UTC" },
	{ .name = STR("cpus"),      .type = FIELD_COUNT, .flags = FIELD_SHOWN, .width = 4,
	  MEMBER(struct pmuq_vendor_import, n_cpus),     .help = "number of patterns of CPUIDs" },
	{ .name = STR("folders"),   .type = FIELD_COUNT, .flags = FIELD_SHOWN, .width = 4,
	  MEMBER(struct pmuq_vendor_import, n_folders),  .help = "number of folders of models" },
	{ .name = STR("events"),    .type = FIELD_COUNT, .flags = FIELD_SHOWN, .width = 6,
	  MEMBER(struct pmuq_vendor_import, n_events),   .help = "number of events in all folders" },
	{ .name = STR("metrics"),   .type = FIELD_COUNT, .flags = FIELD_SHOWN, .width = 6,
	  MEMBER(struct pmuq_vendor_import, n_metrics),  .help = "number of metrics, stored as text" },
	{ .name = STR("problems"),  .type = FIELD_COUNT, .flags = FIELD_SHOWN, .width = 4,
	  MEMBER(struct pmuq_vendor_import, n_problems), .help = "number of events and metrics that were left out" },
	{ .name = STR("directory"), .type = FIELD_TEXT,  .flags = FIELD_SHOWN | FIELD_WRAP, .percent = 30,
	  MEMBER(struct pmuq_vendor_import, directory),  .help = "where it came from" },
};
// clang-format on

static const struct record_type import_record = { .name = "import", FIELDS(import_fields) };

static const struct document_type list_document = {
	.name = "vendor-list",
	.title = "pmuq vendor list",
	.rows = "vendors",
	.row = &import_record,
	.is_table = true,
};

static const struct document_type import_document = {
	.name = "vendor-import",
	.title = "pmuq vendor import",
	.head = &import_record,
	.rows = "left_out",
	.row = &problem_record,
};

/* An import of libpfm4 has PMUs and no patterns of CPUs or metrics. */
static void print_import(const struct pmuq_vendor_import *import)
{
	printf("vendor ");
	print_safe(stdout, import->name.p);
	if (strcmp(import->layout.p, "libpfm4") == 0) {
		print_plural(": ", import->n_folders, "PMU");
		print_plural(", ", import->n_events, "event");
		print_safe_line(stdout, " of %s", import->directory.p);
		return;
	}
	print_plural(": ", import->n_cpus, "pattern");
	printf(" of CPUs");
	print_plural(", ", import->n_folders, "folder");
	print_plural(", ", import->n_events, "event");
	print_plural(", ", import->n_metrics, "metric");
	print_plural(", ", import->n_problems, "problem");
	putchar('\n');
}

/* In the form of compilers, so that editors find the line. */
static void print_problems(const struct pmuq_vendors *vendors)
{
	const struct pmuq_problem *problem;

	for (size_t i = 0; (problem = pmuq_vendors_problem(vendors, 0, i)); i++)
		print_safe_line(stdout, "%s:%zu: [PMUQ-%03u] %s", problem->path.p, problem->line,
				(unsigned)problem->code, problem->message.p);
}

static int begin_import(const struct options *options, struct pmuq_store *store,
			struct pmuq_pfm *pfm, struct pmuq_importer **ret,
			struct pmuq_error **reterr)
{
	const char *name = option_value(options, OPTION_NAME), *directory = options->operands[1];
	int64_t now_s = clock_now_s();

	return pfm ? pmuq_importer_begin_pfm(store, pfm, directory ? NULL : name, now_s, ret,
					     reterr)
		   : pmuq_importer_begin(store, directory, name, now_s, ret, reterr);
}

/* Ctrl-C ends it between two steps. */
static int import_steps(struct pmuq_importer *importer, struct pmuq_error **reterr)
{
	struct progress progress;
	const char *upcoming;
	int r = 0;

	progress_begin(&progress);
	while (r == 0 && !interrupt_came() && (upcoming = pmuq_importer_upcoming(importer))) {
		progress_show(&progress, pmuq_importer_n_done(importer),
			      pmuq_importer_n_steps(importer), upcoming);
		r = pmuq_importer_next(importer, reterr);
	}
	progress_end(&progress);
	return r;
}

/* From the directory, or from libpfm4, which has names of all CPUs, not only of this one. */
static enum status import_from(const struct options *options, struct pmuq_store *store,
			       struct pmuq_pfm *pfm, struct pmuq_vendors **ret)
{
	cleanup(pmuq_importer_freep) struct pmuq_importer *importer = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct interrupt interrupt;
	int r;

	interrupt_begin(&interrupt);
	r = begin_import(options, store, pfm, &importer, &error);
	if (r == 0)
		r = import_steps(importer, &error);
	if (r == 0 && !interrupt_came())
		r = pmuq_importer_commit(importer, ret, &error);
	interrupt_end(&interrupt);
	if (r < 0)
		return report_error(error, NULL);
	if (*ret)
		return STATUS_OK;
	report(REPORT_NOTE, "interrupted after %zu of %zu steps; %s imported",
	       pmuq_importer_n_done(importer), pmuq_importer_n_steps(importer),
	       pfm && options->operands[1] ? "libpfm4's names were not" : "nothing was");
	return STATUS_INTERRUPTED;
}

static enum status print_document(enum document_form form, const struct pmuq_vendors *vendors)
{
	const struct pmuq_problem *problem;
	struct document document;

	document_begin(&document, form, &import_document, pmuq_vendors_get(vendors, 0));
	for (size_t i = 0; (problem = pmuq_vendors_problem(vendors, 0, i)); i++)
		document_row(&document, problem);
	return document_end(&document, NULL);
}

/* What was left out does not fail an import: vendors publish some that no kernel can
 * count. */
static enum status import_directory(const struct options *options, struct pmuq_store *store)
{
	cleanup(pmuq_vendors_freep) struct pmuq_vendors *vendors = NULL;
	enum status status = import_from(options, store, NULL, &vendors);

	if (status != STATUS_OK)
		return status;
	if (options->output.form != DOCUMENT_NONE)
		return print_document(options->output.form, vendors);
	print_import(pmuq_vendors_get(vendors, 0));
	print_problems(vendors);
	return STATUS_OK;
}

static enum status import_pfm(const struct options *options, struct pmuq_store *store,
			      struct pmuq_pfm *pfm)
{
	cleanup(pmuq_vendors_freep) struct pmuq_vendors *vendors = NULL;
	enum status status = import_from(options, store, pfm, &vendors);

	if (status != STATUS_OK)
		return status;
	if (options->output.form == DOCUMENT_NONE)
		print_import(pmuq_vendors_get(vendors, 0));
	else if (!options->operands[1]) /* else the document is the directory's */
		status = print_document(options->output.form, vendors);
	return status;
}

/* The names of libpfm4 that the database has are those of the library that is installed; or the
 * name of their import is that of a vendor's table. */
static int needs_no_pfm(struct pmuq_store *store, bool *ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_vendors_freep) struct pmuq_vendors *vendors = NULL;
	int r = pmuq_store_has_pfm(store, ret, reterr);

	if (r == 0)
		r = pmuq_store_list_vendors(store, &vendors, reterr);
	for (size_t i = 0; r == 0 && i < pmuq_vendors_count(vendors); i++) {
		const struct pmuq_vendor_import *import = pmuq_vendors_get(vendors, i);

		*ret |= strcmp(import->name.p, "libpfm4") == 0 &&
			strcmp(import->layout.p, "libpfm4") != 0;
	}
	return r;
}

/* A search takes libpfm4's names from the database several times as fast as from the library. */
static enum status import_pfm_too(const struct options *options, struct pmuq_store *store)
{
	cleanup(pmuq_pfm_freep) struct pmuq_pfm *pfm = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	bool is_done = false;
	int r = needs_no_pfm(store, &is_done, &error);

	if (r == 0 && is_done)
		return STATUS_OK;
	if (r == 0)
		r = pmuq_pfm_open(NULL, &pfm, &error);
	if (r == 0)
		r = pmuq_pfm_start(pfm, &error);
	if (r == -PMUQ_E_PFM_UNAVAILABLE)
		return STATUS_OK;
	return r < 0 ? report_error(error, NULL) : import_pfm(options, store, pfm);
}

static enum status import_pfm_alone(const struct options *options, struct pmuq_store *store)
{
	cleanup(pmuq_pfm_freep) struct pmuq_pfm *pfm = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	return pmuq_pfm_open(NULL, &pfm, &error) < 0 ? report_error(error, NULL)
						     : import_pfm(options, store, pfm);
}

static enum status import_tables(const struct options *options)
{
	cleanup(pmuq_store_freep) struct pmuq_store *store = NULL;
	bool is_alone = option_is_set(options, OPTION_LIBPFM4);
	enum status status;

	if (!options->operands[1] == !is_alone)
		return usage_error("vendor import needs a directory or --libpfm4");
	if (is_alone && option_is_set(options, OPTION_NO_LIBPFM4))
		return usage_error("--libpfm4 and --no-libpfm4 exclude each other");
	status = database_open(&options->cli, PMUQ_STORE_CREATE, &store);
	if (status != STATUS_OK)
		return status;
	if (is_alone)
		return import_pfm_alone(options, store);
	status = import_directory(options, store);
	if (status == STATUS_OK && !option_is_set(options, OPTION_NO_LIBPFM4))
		status = import_pfm_too(options, store);
	return status;
}

static enum status remove_tables(const struct options *options)
{
	cleanup(pmuq_store_freep) struct pmuq_store *store = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status;

	if (!options->operands[1])
		return usage_error("vendor remove needs a name");
	status = database_open(&options->cli, PMUQ_STORE_WRITE, &store);
	if (status == STATUS_OK &&
	    pmuq_store_remove_vendor(store, options->operands[1], &error) < 0)
		return report_error(error, NULL);
	return status;
}

static enum status list_tables(const struct options *options)
{
	struct pmuq_store *store;
	cleanup(pmuq_vendors_freep) struct pmuq_vendors *vendors = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct rows rows;
	enum status status;

	if (options->operands[1])
		return usage_error("vendor list takes no argument '%s'", options->operands[1]);
	status = database_read(&options->cli, &store);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_list_vendors(store, &vendors, &error) < 0)
		return report_error(error, NULL);
	rows_begin(&rows, &list_document, &options->output, FIELD_SHOWN);
	for (size_t i = 0; i < pmuq_vendors_count(vendors); i++)
		rows_add(&rows, pmuq_vendors_get(vendors, i));
	status = rows_end(&rows);
	if (status == STATUS_OK && pmuq_vendors_count(vendors) == 0)
		report(REPORT_NOTE,
		       "the database has no vendor's table: `pmuq vendor import` imports one");
	return status;
}

static const struct verb verbs[] = {
	{ "import", import_tables, .prints = true,
	  .own = { OPTION_LIBPFM4, OPTION_NO_LIBPFM4, OPTION_NAME } },
	{ "list", list_tables, .prints = true },
	{ "remove", remove_tables },
};

static enum status run_vendor(const struct options *options)
{
	return verbs_run(verbs, COUNT(verbs), options);
}

const struct command cmd_vendor = {
	.name = "vendor",
	.arguments = "import DIR|import --libpfm4|list|remove NAME",
	.needs = "a verb: import, list or remove",
	.n_most = 2,
	.no_host = "vendor tables belong to CPUs",
	.no_sysroot = "vendor tables belong to CPUs",
	.summary = "import, list and remove vendors' event tables",
	.text = "import reads the kernel's tools/perf/pmu-events/arch, one architecture of it, or\n"
		"a checkout of Intel's perfmon: the whole tree or nothing. Events that cannot be\n"
		"encoded are left out and reported. An import replaces an earlier one of the same\n"
		"name. libpfm4's names are imported with the first tree, and again after an\n"
		"update of the library: `pmuq search` finds them faster, and those of other\n"
		"CPUs.\n\n"
		"Examples:\n"
		"  pmuq vendor import linux/tools/perf/pmu-events/arch\n"
		"  pmuq vendor import --name intel perfmon\n"
		"  pmuq vendor list\n",
	.options = OPTION_LIST(OPTION_NAME, OPTION_LIBPFM4, OPTION_NO_LIBPFM4, OPTIONS_TABLE,
			       OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&list_document, &import_document),
	.run = run_vendor,
};
