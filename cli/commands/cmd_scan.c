/* SPDX-License-Identifier: MIT */
/* `pmuq scan`: the machine as it is now, kept in the database. */
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/events/check_machine.h"
#include "cli/hosts/identity.h"
#include "cli/machine_source.h"
#include "cli/options.h"
#include "cli/report.h"
#include <inttypes.h>
#include <time.h>

enum {
	KEY_NAME = OPTION_LONG,
	KEY_CHECK,
};

static const struct option_row scan_options[] = {
	{ KEY_CHECK, "check", NULL, "open every event, and keep what the kernel says" },
	{ KEY_NAME, "name", "NAME", "keep it under NAME; by default the machine's own" },
};

static void print_count(const char *before, size_t n, const char *noun)
{
	printf("%s%zu %s%s", before, n, noun, n == 1 ? "" : "s");
}

static void print_saved(const struct pmuq_catalog *catalog, const char *name,
			const struct pmuq_saved *saved)
{
	size_t n_pmus = pmuq_catalog_machine(catalog)->n_pmus, n_events = 0, n_formats = 0;

	for (size_t i = 0; i < n_pmus; i++) {
		n_events += pmuq_catalog_pmu(catalog, i)->definition->n_events;
		n_formats += pmuq_catalog_pmu(catalog, i)->definition->n_formats;
	}
	printf("host ");
	print_safe(stdout, name);
	printf(": snapshot %" PRId64 " (%s)", saved->snapshot, saved->is_new ? "new" : "unchanged");
	print_count(": ", n_pmus, "PMU");
	print_count(", ", n_events, "event");
	print_count(", ", n_formats, "format");
	print_count(", ", pmuq_catalog_machine(catalog)->n_problems, "problem");
	putchar('\n');
}

struct scan {
	const struct cli *cli;
	const char *name; /* NULL: the machine's own */
	bool wants_check;
	int64_t time_s;
	const struct pmuq_catalog *catalog;
};

/* `check` may be NULL. */
static int save(const struct scan *scan, const struct pmuq_check *check)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(scan->cli), *known = NULL;
	struct pmuq_saved saved = { .size = sizeof(saved) };
	const char *name = scan->name;
	int status;

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_CREATE, &store, &error) < 0)
		return report_error(error, NULL);
	if (!name) {
		status = identity_find(store, scan->catalog, &known);
		if (status != STATUS_OK)
			return status;
		name = known ? known : pmuq_catalog_find_fact(scan->catalog, "hostname");
	}
	if (pmuq_store_save(store, scan->catalog, check, name, scan->time_s, &saved, &error) < 0)
		return report_error(error, NULL);
	print_saved(scan->catalog, name, &saved);
	identity_note(store, scan->catalog, name);
	if (check)
		print_check(check);
	if (saved.has_old_check)
		report(REPORT_NOTE, "the whole check that the database has of this machine stays");
	return STATUS_OK;
}

static int check_and_save(const struct scan *scan)
{
	cleanup(check_freep) struct pmuq_check *check = NULL;
	int status = check_machine(scan->catalog, scan->time_s, &check), saved;

	if (!check)
		return status;
	saved = save(scan, check);
	return saved == STATUS_OK ? status : saved;
}

/* A database that cannot be written is told before a check that may take long. */
static int probe_database(const struct cli *cli)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(cli);

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_CREATE, &store, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

static int scan_machine(struct scan *scan)
{
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	int status = source_read(scan->cli, &catalog);

	if (status == STATUS_OK && scan->wants_check)
		status = probe_database(scan->cli);
	if (status != STATUS_OK)
		return status;
	scan->catalog = catalog;
	scan->time_s = (int64_t)time(NULL);
	return scan->wants_check ? check_and_save(scan) : save(scan, NULL);
}

static int run_scan(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct options options;
	struct scan scan = { .cli = cli };
	int key;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		if (key == KEY_CHECK)
			scan.wants_check = true;
		else
			scan.name = optarg;
	}
	if (optind < argc)
		return usage_error(command, "scan takes no argument '%s'", argv[optind]);
	if (scan.name && !database_name_is_usable(scan.name))
		return usage_error(command,
				   "--name %s: --host could not ask for it, for the @ in "
				   "it",
				   scan.name);
	if (cli->host)
		return usage_error(command,
				   "--host names a machine that is in the database already");
	if (cli->sysroot && scan.wants_check)
		return usage_error(command, "--check asks the kernel that runs here, and --sysroot "
					    "names another machine; scan it where it is");
	return scan_machine(&scan);
}

const struct command cmd_scan = {
	.name = "scan",
	.summary = "read the machine and keep a snapshot of it in the database",
	.text = "A scan of a machine that has not changed adds nothing but the time.\n"
		"With --check each event of each PMU, and each generic event that its PMUs\n"
		"count, is opened and closed at once, never enabled; `pmuq --host NAME list\n"
		"events` then tells which open. Ctrl-C ends the check, and what is known until\n"
		"then is kept.\n"
		"The database is $XDG_STATE_HOME/pmuq/pmuq.db, else ~/.local/state/pmuq/pmuq.db,\n"
		"for root /var/lib/pmuq/pmuq.db; --db names another one. `pmuq --host NAME`\n"
		"answers from it.\n",
	.options = scan_options,
	.n_options = COUNT(scan_options),
	.run = run_scan,
};
