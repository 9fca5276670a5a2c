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

static const enum option export_options[] = {
	OPTION_JSON, OPTION_YAML, OPTION_ALL_HOSTS, OPTION_OUTPUT, OPTION_END,
};

struct export
{
	const struct cli *cli;
	enum pmuq_document_form form;
	const char *path; /* NULL: stdout */
	struct pmuq_writer *writer;
};

static enum status add(struct export *export, const struct pmuq_catalog *catalog, const char *name,
		       int64_t first_seen_s)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;

	if (pmuq_writer_add(export->writer, catalog, name, first_seen_s, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

static enum status add_snapshot(struct export *export, struct pmuq_store *store, const char *name,
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
static enum status add_hosts(struct export *export, struct pmuq_store *store,
			     const struct pmuq_hosts *hosts)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < pmuq_hosts_count(hosts); i++) {
		size_t last = pmuq_hosts_get(hosts, i)->n_snapshots - 1;

		status = add_snapshot(export, store, pmuq_hosts_get(hosts, i)->name.p,
				      pmuq_hosts_snapshot(hosts, i, last)->number,
				      pmuq_hosts_snapshot(hosts, i, last)->first_seen_s);
	}
	return status;
}

/* An inventory of nothing would take the place of one that was kept, and be no document. */
static enum status fail_empty(void)
{
	report(REPORT_ERROR, "the database has no host: `pmuq scan` stores this one");
	return STATUS_INVALID;
}

static enum status add_all(struct export *export)
{
	const struct pmuq_hosts_filter newest = { .size = sizeof(newest), .is_newest_only = true };
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(export->cli);
	struct pmuq_hosts *hosts = NULL;
	enum status status;

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
static enum status add_host(struct export *export)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(export->cli), *name = NULL, *when = NULL;
	struct pmuq_hosts *hosts = NULL;
	int64_t number = 0;
	enum status status;

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

static enum status add_machine(struct export *export)
{
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	enum status status;

	if (export->cli->host && !export->cli->sysroot)
		return add_host(export);
	status = source_read(export->cli, &catalog);
	return status == STATUS_OK ? add(export, catalog, NULL, 0) : status;
}

static enum status write_out(const struct export *export)
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

static enum status write_file(const struct export *export)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct output output;
	enum status status = output_open(&output, export->path);

	if (status == STATUS_OK &&
	    pmuq_writer_write(export->writer, export->form, output.fd, &error) < 0)
		status = report_error(error, export->path);
	if (status == STATUS_OK)
		status = output_keep(&output);
	output_close(&output);
	return status;
}

static enum status export_machines(struct export *export, bool wants_all)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	enum status status;

	if (pmuq_writer_new(&export->writer, &error) < 0)
		return report_error(error, NULL);
	status = wants_all ? add_all(export) : add_machine(export);
	if (status == STATUS_OK)
		status = export->path ? write_file(export) : write_out(export);
	pmuq_writer_free(export->writer);
	return status;
}

static enum status run_export(struct options *options)
{
	struct export export = { .cli = options->cli };
	const struct cli *cli = options->cli;
	bool wants_all = false;
	enum option option;

	while ((option = options_next(options)) != OPTION_END) {
		if (option == OPTION_STOP)
			return options->status;
		if (option == OPTION_OUTPUT)
			export.path =
				strcmp(options->argument, "-") == 0 ? NULL : options->argument;
		else
			wants_all = true;
	}
	export.form =
		options->output.form == DOCUMENT_JSON ? PMUQ_DOCUMENT_JSON : PMUQ_DOCUMENT_YAML;
	if (options->n_operands)
		return usage_error(options->command, "export takes no argument '%s'",
				   options->words[0]);
	if (wants_all && (cli->host || cli->sysroot))
		return usage_error(options->command, "--all-hosts and %s exclude each other",
				   cli->host ? "--host" : "--sysroot");
	return export_machines(&export, wants_all);
}

const struct command cmd_export = {
	.name = "export",
	.summary = "write machines as YAML or JSON",
	.text = "`pmuq import` reads the same machine from the document, and exporting that again\n"
		"gives the same text. Hosts with the same description become one document.\n"
		"pmuq-inventory(5) describes the format.\n\n"
		"Examples:\n"
		"  pmuq --host web01 export\n"
		"  pmuq export --all-hosts --output hosts.yaml\n",
	.options = export_options,
	.run = run_export,
};
