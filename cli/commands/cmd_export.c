/* SPDX-License-Identifier: MIT */
/* `pmuq export`: a machine, or all of the database, as documents. */
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/machine_source.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/report.h"
#include <string.h>
#include <unistd.h>

enum {
	KEY_ALL = OPTION_LONG,
};

static const struct option_row export_options[] = {
	{ KEY_ALL, "all", NULL, "every host of the database, as it was seen last" },
	{ 'J', "json", NULL, "as JSON in place of YAML" },
	{ 'o', "output", "FILE",
	  "write to FILE, which stays as it was if that fails; - is stdout" },
};

struct export
{
	const struct cli *cli;
	enum pmuq_document_form form;
	const char *path; /* NULL: stdout */
	struct pmuq_writer *writer;
};

static int add(struct export *export, const struct pmuq_catalog *catalog, const char *name,
	       int64_t first_seen_s)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;

	if (pmuq_writer_add(export->writer, catalog, name, first_seen_s, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

static int add_snapshot(struct export *export, struct pmuq_store *store, const char *name,
			int64_t number, int64_t first_seen_s)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;

	if (pmuq_store_open_host(store, name, number, &source, &error) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, &error) < 0)
		return report_error(error, NULL);
	return add(export, catalog, name, first_seen_s);
}

/* The newest snapshot of each host of the list. */
static int add_hosts(struct export *export, struct pmuq_store *store,
		     const struct pmuq_hosts *hosts)
{
	int status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < pmuq_hosts_count(hosts); i++) {
		size_t last = pmuq_hosts_get(hosts, i)->n_snapshots - 1;

		status = add_snapshot(export, store, pmuq_hosts_get(hosts, i)->name.p,
				      pmuq_hosts_snapshot(hosts, i, last)->number,
				      pmuq_hosts_snapshot(hosts, i, last)->first_seen_s);
	}
	return status;
}

/* An inventory of nothing would take the place of one that was kept, and be no document. */
static int fail_empty(void)
{
	report(REPORT_ERROR, "the database has no host: `pmuq scan` keeps this one");
	return STATUS_INVALID;
}

static int add_all(struct export *export)
{
	const struct pmuq_hosts_filter newest = { .size = sizeof(newest), .is_newest_only = true };
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(export->cli);
	struct pmuq_hosts *hosts = NULL;
	int status;

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_READ, &store, &error) < 0 ||
	    pmuq_store_list_hosts(store, &newest, &hosts, &error) < 0)
		return report_error(error, NULL);
	status = pmuq_hosts_count(hosts) ? add_hosts(export, store, hosts) : fail_empty();
	pmuq_hosts_free(hosts);
	return status;
}

/* When the host's snapshot of that number was first seen; 0: the newest. */
static int64_t first_seen(const struct pmuq_hosts *hosts, const char *name, int64_t number)
{
	for (size_t i = 0; i < pmuq_hosts_count(hosts); i++) {
		size_t n = pmuq_hosts_get(hosts, i)->n_snapshots;

		if (strcmp(pmuq_hosts_get(hosts, i)->name.p, name) != 0)
			continue;
		for (size_t s = 0; s < n; s++)
			if (pmuq_hosts_snapshot(hosts, i, s)->number == number ||
			    (!number && s + 1 == n))
				return pmuq_hosts_snapshot(hosts, i, s)->first_seen_s;
	}
	return 0;
}

/* --host NAME[@WHEN]. */
static int add_host(struct export *export)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(export->cli), *name = NULL, *when = NULL;
	struct pmuq_hosts *hosts = NULL;
	int64_t number = 0;
	int status;

	if (!database_split_host(export->cli->host, &name, &when))
		return STATUS_USAGE;
	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_READ, &store, &error) < 0 ||
	    (when && pmuq_store_find_snapshot(store, name, when, &number, &error) < 0) ||
	    pmuq_store_list_hosts(store, NULL, &hosts, &error) < 0)
		return report_error(error, NULL);
	status = add_snapshot(export, store, name, number, first_seen(hosts, name, number));
	pmuq_hosts_free(hosts);
	return status;
}

static int add_machine(struct export *export)
{
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	int status;

	if (export->cli->host && !export->cli->sysroot)
		return add_host(export);
	status = source_read(export->cli, &catalog);
	return status == STATUS_OK ? add(export, catalog, NULL, 0) : status;
}

static int write_out(const struct export *export)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *text = NULL;
	size_t n = 0;

	if (pmuq_writer_text(export->writer, export->form, &text, &n, &error) < 0)
		return report_error(error, NULL);
	/* Whether stdout took it all is asked once, when the command ends. */
	fwrite(text, 1, n, stdout);
	return STATUS_OK;
}

static int write_file(const struct export *export)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct output output;
	int status = output_open(&output, export->path);

	if (status == STATUS_OK &&
	    pmuq_writer_write(export->writer, export->form, output.fd, &error) < 0)
		status = report_error(error, export->path);
	if (status == STATUS_OK)
		status = output_keep(&output);
	output_close(&output);
	return status;
}

static int export_machines(struct export *export, bool wants_all)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int status;

	if (pmuq_writer_new(&export->writer, &error) < 0)
		return report_error(error, NULL);
	status = wants_all ? add_all(export) : add_machine(export);
	if (status == STATUS_OK)
		status = export->path ? write_file(export) : write_out(export);
	pmuq_writer_free(export->writer);
	return status;
}

static int run_export(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct export export = { .cli = cli };
	struct options options;
	bool wants_all = false;
	int key;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		if (key == KEY_ALL)
			wants_all = true;
		else if (key == 'J')
			export.form = PMUQ_DOCUMENT_JSON;
		else
			export.path = strcmp(optarg, "-") == 0 ? NULL : optarg;
	}
	if (optind < argc)
		return usage_error(command, "export takes no argument '%s'", argv[optind]);
	if (wants_all && (cli->host || cli->sysroot))
		return usage_error(command,
				   "--all is every host of the database, and %s names "
				   "one machine",
				   cli->host ? "--host" : "--sysroot");
	return export_machines(&export, wants_all);
}

const struct command cmd_export = {
	.name = "export",
	.summary = "write a machine as YAML or JSON, to keep, to read, to import elsewhere",
	.text = "Nothing is lost: what `pmuq import` makes of it is the same machine, and\n"
		"exported again it is the same text. Hosts that are alike become one document.\n"
		"The format is in pmuq-inventory(5).\n",
	.options = export_options,
	.n_options = COUNT(export_options),
	.run = run_export,
};
