/* SPDX-License-Identifier: MIT */
/* `pmuq vendor`: tables of vendors' events into the database, and out of it. */
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/options.h"
#include "cli/output/table.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include <inttypes.h>
#include <string.h>
#include <time.h>

enum {
	KEY_NAME = OPTION_LONG,
	KEY_LIBPFM4,
};

static const struct option_row vendor_options[] = {
	{ 'J', "json", NULL, "list: JSON" },
	{ KEY_NAME, "name", "NAME",
	  "import: keep it under NAME; by default perf, perfmon or libpfm4" },
	{ KEY_LIBPFM4, "libpfm4", NULL, "import: all names of libpfm4, to be searched" },
};

struct vendor_run {
	const struct cli *cli;
	const struct command *command;
	const char *name; /* of --name */
	bool wants_json, wants_libpfm4;
	const char *argument; /* behind the verb, NULL when there is none */
};

static void vendors_freep(struct pmuq_vendors **vendors)
{
	pmuq_vendors_free(*vendors);
}

static int open_store(const struct cli *cli, enum pmuq_store_mode mode, struct pmuq_store **ret)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(cli);

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, mode, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

static void print_count(const char *before, size_t n, const char *noun)
{
	printf("%s%zu %s%s", before, n, noun, n == 1 ? "" : "s");
}

static void print_import(const struct pmuq_vendors *vendors)
{
	bool is_tables = strcmp(pmuq_vendors_get(vendors, 0)->layout.p, "libpfm4") != 0;

	printf("vendor ");
	print_safe(stdout, pmuq_vendors_get(vendors, 0)->name.p);
	if (!is_tables) {
		print_count(": ", pmuq_vendors_get(vendors, 0)->n_folders, "PMU");
		print_count(", ", pmuq_vendors_get(vendors, 0)->n_events, "event");
		printf(" of ");
		print_safe(stdout, pmuq_vendors_get(vendors, 0)->directory.p);
		putchar('\n');
		return;
	}
	print_count(": ", pmuq_vendors_get(vendors, 0)->n_cpus, "pattern");
	printf(" of CPUs");
	print_count(", ", pmuq_vendors_get(vendors, 0)->n_folders, "folder");
	print_count(", ", pmuq_vendors_get(vendors, 0)->n_events, "event");
	print_count(", ", pmuq_vendors_get(vendors, 0)->n_metrics, "metric");
	print_count(", ", pmuq_vendors_get(vendors, 0)->n_problems, "problem");
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
	int64_t now_s = (int64_t)time(NULL);
	int r;

	if (!run->wants_libpfm4)
		return pmuq_store_import_vendor(store, run->argument, run->name, now_s, ret,
						reterr);
	r = pmuq_pfm_open(NULL, &pfm, reterr);
	return r < 0 ? r : pmuq_store_import_pfm(store, pfm, run->name, now_s, ret, reterr);
}

static int import_tables(const struct vendor_run *run)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(vendors_freep) struct pmuq_vendors *vendors = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int status;

	if (!run->argument == !run->wants_libpfm4)
		return usage_error(run->command, "vendor import wants a directory or --libpfm4");
	status = open_store(run->cli, PMUQ_STORE_CREATE, &store);
	if (status != STATUS_OK)
		return status;
	if (import_from(run, store, &vendors, &error) < 0)
		return report_error(error, NULL);
	print_import(vendors);
	print_problems(vendors);
	return STATUS_OK;
}

static int remove_tables(const struct vendor_run *run)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int status;

	if (!run->argument)
		return usage_error(run->command, "vendor remove wants a name");
	status = open_store(run->cli, PMUQ_STORE_WRITE, &store);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_remove_vendor(store, run->argument, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

struct vendor_row {
	const struct pmuq_vendors *vendors;
	size_t index;
};

static char *number_of(uint64_t value)
{
	char *text = NULL;

	return asprintf(&text, "%" PRIu64, value) < 0 ? NULL : text;
}

#define ROW ((const struct vendor_row *)of)

CELL(name)
{
	return strdup(pmuq_vendors_get(ROW->vendors, ROW->index)->name.p);
}

CELL(layout)
{
	return strdup(pmuq_vendors_get(ROW->vendors, ROW->index)->layout.p);
}

CELL(imported)
{
	time_t time_s = (time_t)pmuq_vendors_get(ROW->vendors, ROW->index)->time_s;
	struct tm tm;
	char text[32];

	if (!gmtime_r(&time_s, &tm) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return NULL;
	return strdup(text);
}

CELL(cpus)
{
	return number_of(pmuq_vendors_get(ROW->vendors, ROW->index)->n_cpus);
}

CELL(folders)
{
	return number_of(pmuq_vendors_get(ROW->vendors, ROW->index)->n_folders);
}

CELL(events)
{
	return number_of(pmuq_vendors_get(ROW->vendors, ROW->index)->n_events);
}

CELL(metrics)
{
	return number_of(pmuq_vendors_get(ROW->vendors, ROW->index)->n_metrics);
}

CELL(problems)
{
	return number_of(pmuq_vendors_get(ROW->vendors, ROW->index)->n_problems);
}

CELL(directory)
{
	return strdup(pmuq_vendors_get(ROW->vendors, ROW->index)->directory.p);
}

// clang-format off
#define NUMBER (COLUMN_RIGHT | COLUMN_NUMBER)
static const struct column columns[] = {
	{ "NAME",      8,   0,           "of the import",                     cell_name },
	{ "LAYOUT",    6,   0,           "whose tree it was",                 cell_layout },
	{ "IMPORTED",  20,  0,           "when, UTC",                         cell_imported },
	{ "CPUS",      4,   NUMBER,      "patterns of CPU IDs",               cell_cpus },
	{ "FOLDERS",   4,   NUMBER,      "of models",                         cell_folders },
	{ "EVENTS",    6,   NUMBER,      "of all folders",                    cell_events },
	{ "METRICS",   6,   NUMBER,      "kept as text",                      cell_metrics },
	{ "PROBLEMS",  4,   NUMBER,      "events that were left out",         cell_problems },
	{ "DIRECTORY", 0.3, COLUMN_WRAP, "where it came from",                cell_directory },
};
// clang-format on

static bool fill(struct table *table, const struct pmuq_vendors *vendors)
{
	for (size_t i = 0; i < COUNT(columns); i++)
		if (!table_add_column(table, &columns[i]))
			return false;
	for (size_t i = 0; i < pmuq_vendors_count(vendors); i++)
		if (!table_add_row(table, &(struct vendor_row){ .vendors = vendors, .index = i }))
			return false;
	return table_print(table, stdout);
}

static int list_tables(const struct vendor_run *run)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(vendors_freep) struct pmuq_vendors *vendors = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct table *table;
	bool is_fine;
	int status;

	if (run->argument)
		return usage_error(run->command, "vendor list takes no argument '%s'",
				   run->argument);
	status = open_store(run->cli, PMUQ_STORE_READ, &store);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_list_vendors(store, &vendors, &error) < 0)
		return report_error(error, NULL);
	table = table_new("vendors", run->wants_json ? TABLE_JSON : TABLE_PLAIN, true);
	if (!table)
		return STATUS_FAILED;
	table_set_width(table, run->wants_json ? 0 : terminal_columns(0));
	is_fine = fill(table, vendors);
	table_free(table);
	if (pmuq_vendors_count(vendors) == 0)
		report(REPORT_NOTE, "the database has no vendor's table: `pmuq vendor import` "
				    "brings them");
	return is_fine ? STATUS_OK : STATUS_FAILED;
}

static const struct verb {
	const char *name;
	int (*run)(const struct vendor_run *run);
	bool imports, lists; /* takes the options that say so */
} verbs[] = {
	{ "import", import_tables, .imports = true },
	{ "list", list_tables, .lists = true },
	{ "remove", remove_tables },
};

static const char *next_verb(const void *of, size_t index)
{
	(void)of;
	return index < COUNT(verbs) ? verbs[index].name : NULL;
}

/* An option that was given and is another verb's; NULL when there is none. */
static const char *foreign_option(const struct verb *verb, const struct vendor_run *run)
{
	if (run->wants_json && !verb->lists)
		return "json";
	if (run->wants_libpfm4 && !verb->imports)
		return "libpfm4";
	return run->name && !verb->imports ? "name" : NULL;
}

static int run_verb(const struct vendor_run *run, const char *name)
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
		return usage_error(run->command, "vendor does not '%s'; did you mean '%s'?", name,
				   near);
	return usage_error(run->command, "vendor does not '%s': it is import, list or remove",
			   name);
}

static int run_vendor(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct vendor_run run = { .cli = cli, .command = command };
	struct options options;
	int key;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		if (key == 'J')
			run.wants_json = true;
		else if (key == KEY_LIBPFM4)
			run.wants_libpfm4 = true;
		else
			run.name = optarg;
	}
	if (optind == argc)
		return usage_error(command, "vendor wants a verb: import, list or remove");
	if (argc - optind > 2)
		return usage_error(command, "vendor %s takes one argument", argv[optind]);
	if (cli->host || cli->sysroot)
		return usage_error(command, "tables are of no machine: --host and --sysroot name "
					    "one");
	run.argument = argv[optind + 1];
	return run_verb(&run, argv[optind]);
}

const struct command cmd_vendor = {
	.name = "vendor",
	.arguments = "import DIR|import --libpfm4|list|remove NAME",
	.summary = "tables of vendors' events: into the database, and out of it",
	.text = "import takes the tree that the kernel keeps in tools/perf/pmu-events/arch, one\n"
		"architecture of it, or a checkout of Intel's perfmon. All of it comes in, or\n"
		"nothing; an event that cannot be encoded is left out and told. The same name\n"
		"again replaces what was there. libpfm4's names need no import to be encoded;\n"
		"with --libpfm4, `search` finds those of other CPUs. `pmuq search WORDS` finds\n"
		"events in what was imported.\n\n"
		"Examples:\n"
		"  pmuq vendor import linux/tools/perf/pmu-events/arch\n"
		"  pmuq vendor import --name intel perfmon\n"
		"  pmuq vendor import --libpfm4\n"
		"  pmuq vendor list\n",
	.options = vendor_options,
	.n_options = COUNT(vendor_options),
	.run = run_vendor,
};
