/* SPDX-License-Identifier: MIT */
/* `pmuq scan`: the machine as it is now, kept in the database. */
#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/source.h"
#include <inttypes.h>
#include <time.h>

enum {
	KEY_NAME = OPTION_LONG,
};

static const struct option_row scan_options[] = {
	{ KEY_NAME, "name", "NAME", "keep it under NAME; by default the machine's own" },
};

static void print_count(const char *before, size_t n, const char *noun)
{
	printf("%s%zu %s%s", before, n, noun, n == 1 ? "" : "s");
}

static void print_saved(const struct pmuq_catalog *catalog, const char *name,
			const struct pmuq_saved *saved)
{
	size_t n_pmus = pmuq_catalog_pmu_count(catalog), n_events = 0, n_formats = 0;

	for (size_t i = 0; i < n_pmus; i++) {
		n_events += pmuq_pmu_event_count(pmuq_catalog_pmu(catalog, i));
		n_formats += pmuq_pmu_format_count(pmuq_catalog_pmu(catalog, i));
	}
	printf("host ");
	print_safe(stdout, name ? name : pmuq_catalog_find_fact(catalog, "hostname"));
	printf(": snapshot %" PRId64 " (%s)", saved->snapshot, saved->is_new ? "new" : "unchanged");
	print_count(": ", n_pmus, "PMU");
	print_count(", ", n_events, "event");
	print_count(", ", n_formats, "format");
	print_count(", ", pmuq_catalog_problem_count(catalog), "problem");
	putchar('\n');
}

static int save(const struct cli *cli, const char *name)
{
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = source_db_path(cli);
	struct pmuq_saved saved = { .size = sizeof(saved) };
	int status;

	if (!path)
		return STATUS_FAILED;
	status = source_read(cli, &catalog);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_open(path, PMUQ_STORE_CREATE, &store, &error) < 0 ||
	    pmuq_store_save(store, catalog, name, (int64_t)time(NULL), &saved, &error) < 0)
		return report_error(error, NULL);
	print_saved(catalog, name, &saved);
	return STATUS_OK;
}

static int run_scan(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct options options;
	const char *name = NULL;
	int key;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		name = optarg;
	}
	if (optind < argc)
		return usage_error(command, "scan takes no argument '%s'", argv[optind]);
	if (cli->host)
		return usage_error(command,
				   "--host names a machine that is in the database already");
	return save(cli, name);
}

const struct command cmd_scan = {
	.name = "scan",
	.summary = "read the machine and keep a snapshot of it in the database",
	.text = "A scan of a machine that has not changed adds nothing but the time.\n"
		"The database is $XDG_STATE_HOME/pmuq/pmuq.db, else ~/.local/state/pmuq/pmuq.db, "
		"for root\n"
		"/var/lib/pmuq/pmuq.db; --db names another one. `pmuq --host NAME` answers from "
		"it.\n",
	.options = scan_options,
	.n_options = COUNT(scan_options),
	.run = run_scan,
};
