/* SPDX-License-Identifier: MIT */
/* `pmuq vendor`: tables of vendors' events into the database, and out of it. */
#include "cli/clock.h"
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/options.h"
#include "cli/output/error_record.h"
#include "cli/output/rows.h"
#include "cli/report.h"
#include <string.h>

static const enum option vendor_options[] = {
	OPTION_NAME, OPTION_LIBPFM4, OPTIONS_TABLE, OPTIONS_DOCUMENT, OPTION_END,
};

struct vendor_run {
	const struct cli *cli;
	const struct command *command;
	const struct output_choice *output;
	const char *name; /* of --name */
	bool wants_libpfm4;
	const char *argument; /* after the verb, or NULL */
};

// clang-format off
static const struct field import_fields[] = {
	{ .name = STR("name"),      .type = FIELD_TEXT,  .flags = FIELD_SHOWN, .width = 8,
	  MEMBER(struct pmuq_vendor_import, name),       .help = "name of the import" },
	{ .name = STR("layout"),    .type = FIELD_TEXT,  .flags = FIELD_SHOWN, .width = 6,
	  MEMBER(struct pmuq_vendor_import, layout),     .help = "layout of its tree: kernel, perfmon; or libpfm4" },
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
	  MEMBER(struct pmuq_vendor_import, n_problems), .help = "number of events that were left out" },
	{ .name = STR("directory"), .type = FIELD_TEXT,  .flags = FIELD_SHOWN | FIELD_WRAP, .width = 0.3,
	  MEMBER(struct pmuq_vendor_import, directory),  .help = "where it came from" },
};
// clang-format on

static const struct record_type import_record = { .name = "import", FIELDS(import_fields) };

static const struct document_type list_document = {
	.name = "vendor-list",
	.title = "pmuq vendor list",
	.rows = "vendors",
	.row = &import_record,
};

static const struct document_type import_document = {
	.name = "vendor-import",
	.title = "pmuq vendor import",
	.head = &import_record,
	.rows = "left_out",
	.row = &problem_record,
};

static const struct document_type *const vendor_documents[] = { &list_document, &import_document,
								NULL };

static void vendors_freep(struct pmuq_vendors **vendors)
{
	pmuq_vendors_free(*vendors);
}

static enum status open_store(const struct cli *cli, enum pmuq_store_mode mode,
			      struct pmuq_store **ret)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(cli);

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, mode, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

static void print_import(const struct pmuq_vendors *vendors)
{
	bool is_tables = strcmp(pmuq_vendors_get(vendors, 0)->layout.p, "libpfm4") != 0;

	printf("vendor ");
	print_safe(stdout, pmuq_vendors_get(vendors, 0)->name.p);
	if (!is_tables) {
		print_plural(": ", pmuq_vendors_get(vendors, 0)->n_folders, "PMU");
		print_plural(", ", pmuq_vendors_get(vendors, 0)->n_events, "event");
		printf(" of ");
		print_safe(stdout, pmuq_vendors_get(vendors, 0)->directory.p);
		putchar('\n');
		return;
	}
	print_plural(": ", pmuq_vendors_get(vendors, 0)->n_cpus, "pattern");
	printf(" of CPUs");
	print_plural(", ", pmuq_vendors_get(vendors, 0)->n_folders, "folder");
	print_plural(", ", pmuq_vendors_get(vendors, 0)->n_events, "event");
	print_plural(", ", pmuq_vendors_get(vendors, 0)->n_metrics, "metric");
	print_plural(", ", pmuq_vendors_get(vendors, 0)->n_problems, "problem");
	putchar('\n');
}

static void print_problems(const struct pmuq_vendors *vendors)
{
	for (size_t i = 0; i < pmuq_vendors_get(vendors, 0)->n_problems; i++) {
		print_safe(stdout, pmuq_vendors_problem(vendors, 0, i)->path.p);
		printf(":%zu: [PMUQ-%03u] ", pmuq_vendors_problem(vendors, 0, i)->line,
		       (unsigned)pmuq_vendors_problem(vendors, 0, i)->code);
		print_safe(stdout, pmuq_vendors_problem(vendors, 0, i)->message.p);
		putchar('\n');
	}
}

static int import_from(const struct vendor_run *run, struct pmuq_store *store,
		       struct pmuq_vendors **ret, struct pmuq_error **reterr)
{
	cleanup(pfm_freep) struct pmuq_pfm *pfm = NULL;
	int64_t now_s = clock_now_s();
	int r;

	if (!run->wants_libpfm4)
		return pmuq_store_import_vendor(store, run->argument, run->name, now_s, ret,
						reterr);
	r = pmuq_pfm_open(NULL, &pfm, reterr);
	return r < 0 ? r : pmuq_store_import_pfm(store, pfm, run->name, now_s, ret, reterr);
}

static enum status print_document(const struct vendor_run *run, const struct pmuq_vendors *vendors)
{
	const struct pmuq_vendor_import *import = pmuq_vendors_get(vendors, 0);
	const struct pmuq_problem *problem;
	struct document document;
	enum status status = document_begin(&document, run->output->form, &import_document, import);

	for (size_t i = 0; status == STATUS_OK && (problem = pmuq_vendors_problem(vendors, 0, i));
	     i++)
		document_row(&document, problem);
	return status_worse(status, document_end(&document, NULL));
}

static enum status import_tables(const struct vendor_run *run)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(vendors_freep) struct pmuq_vendors *vendors = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	enum status status;

	if (!run->argument == !run->wants_libpfm4)
		return usage_error(run->command, "vendor import needs a directory or --libpfm4");
	status = open_store(run->cli, PMUQ_STORE_CREATE, &store);
	if (status != STATUS_OK)
		return status;
	if (import_from(run, store, &vendors, &error) < 0)
		return report_error(error, NULL);
	if (run->output->form != DOCUMENT_NONE)
		return print_document(run, vendors);
	print_import(vendors);
	print_problems(vendors);
	return STATUS_OK;
}

static enum status remove_tables(const struct vendor_run *run)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	enum status status;

	if (!run->argument)
		return usage_error(run->command, "vendor remove needs a name");
	status = open_store(run->cli, PMUQ_STORE_WRITE, &store);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_remove_vendor(store, run->argument, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

static enum status print_list(const struct vendor_run *run, const struct pmuq_vendors *vendors)
{
	struct rows rows;
	enum status status =
		rows_begin(&rows, run->command, &list_document, run->output, FIELD_SHOWN, NULL);

	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; status == STATUS_OK && i < pmuq_vendors_count(vendors); i++)
		status = rows_add(&rows, pmuq_vendors_get(vendors, i));
	return rows_end(&rows, status);
}

static enum status list_tables(const struct vendor_run *run)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(vendors_freep) struct pmuq_vendors *vendors = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	enum status status;

	if (run->argument)
		return usage_error(run->command, "vendor list takes no argument '%s'",
				   run->argument);
	status = open_store(run->cli, PMUQ_STORE_READ, &store);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_list_vendors(store, &vendors, &error) < 0)
		return report_error(error, NULL);
	status = print_list(run, vendors);
	if (status == STATUS_OK && pmuq_vendors_count(vendors) == 0)
		report(REPORT_NOTE,
		       "the database has no vendor's table: `pmuq vendor import` imports one");
	return status;
}

static const struct verb {
	const char *name;
	enum status (*run)(const struct vendor_run *run);
	bool imports, prints; /* takes the options for that */
} verbs[] = {
	{ "import", import_tables, .imports = true, .prints = true },
	{ "list", list_tables, .prints = true },
	{ "remove", remove_tables },
};

static const char *next_verb(const void *of, size_t index)
{
	(void)of;
	return index < COUNT(verbs) ? verbs[index].name : NULL;
}

/* An option that is another verb's, or NULL. */
static const char *foreign_option(const struct verb *verb, const struct vendor_run *run)
{
	if (run->output->form != DOCUMENT_NONE && !verb->prints)
		return "json";
	if (run->wants_libpfm4 && !verb->imports)
		return "libpfm4";
	return run->name && !verb->imports ? "name" : NULL;
}

static enum status run_verb(const struct vendor_run *run, const char *name)
{
	const struct verb *verb = verbs;
	const char *option, *near;

	while (verb < verbs + COUNT(verbs) && strcmp(verb->name, name) != 0)
		verb++;
	if (verb < verbs + COUNT(verbs)) {
		option = foreign_option(verb, run);
		return option ? usage_error(run->command, "vendor %s takes no --%s", name, option)
			      : verb->run(run);
	}
	near = nearest(name, next_verb, NULL);
	if (near)
		return usage_error(run->command, "there is no `vendor %s`; did you mean '%s'?",
				   name, near);
	return usage_error(run->command, "there is no `vendor %s`, only import, list and remove",
			   name);
}

static enum status run_vendor(struct options *options)
{
	const struct command *command = options->command;
	struct vendor_run run = { .cli = options->cli,
				  .command = command,
				  .output = &options->output };
	enum option option;

	while ((option = options_next(options)) != OPTION_END) {
		if (option == OPTION_STOP)
			return options->status;
		if (option == OPTION_LIBPFM4)
			run.wants_libpfm4 = true;
		else
			run.name = options->argument;
	}
	if (options->output.lists_columns) {
		columns_print(&import_record);
		return STATUS_OK;
	}
	if (!options->n_operands)
		return usage_error(command, "vendor needs a verb: import, list or remove");
	if (options->n_operands > 2)
		return usage_error(command, "vendor %s takes one argument", options->words[0]);
	if (run.cli->host || run.cli->sysroot)
		return usage_error(command, "vendor does not take --host or --sysroot");
	run.argument = options->words[1];
	return run_verb(&run, options->words[0]);
}

const struct command cmd_vendor = {
	.name = "vendor",
	.arguments = "import DIR|import --libpfm4|list|remove NAME",
	.summary = "import, list and remove vendors' event tables",
	.text = "import reads the kernel's tools/perf/pmu-events/arch, one architecture of it, or\n"
		"a checkout of Intel's perfmon: the whole tree or nothing. Events that cannot be\n"
		"encoded are left out and reported. An import replaces an earlier one of the same\n"
		"name. libpfm4's names can be encoded without an import; --libpfm4 imports them\n"
		"so that `pmuq search` finds those of other CPUs.\n\n"
		"Examples:\n"
		"  pmuq vendor import linux/tools/perf/pmu-events/arch\n"
		"  pmuq vendor import --name intel perfmon\n"
		"  pmuq vendor import --libpfm4\n"
		"  pmuq vendor list\n",
	.options = vendor_options,
	.documents = vendor_documents,
	.run = run_vendor,
};
