/* SPDX-License-Identifier: MIT */
/* `pmuq export`: machines as documents of the inventory. */
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/machine_source.h"
#include "cli/machine_word.h"
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
	bool wants_all;
	const char *glob; /* of --all-hosts; NULL: every host */
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

/* An empty inventory would replace one that was kept, and is not a document. */
static enum status fail_empty(const char *glob)
{
	if (glob)
		report(REPORT_ERROR, "no host matches '%s'", glob);
	else
		report(REPORT_ERROR, "the database has no host: `pmuq scan` stores this one");
	return STATUS_INVALID;
}

static enum status add_all(struct export *export)
{
	const struct pmuq_hosts_filter newest = {
		.size = sizeof(newest),
		.globs = &export->glob,
		.n_globs = export->glob != NULL,
		.is_newest_only = true,
	};
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
	status = pmuq_hosts_count(hosts) ? add_hosts(export, store, hosts)
					 : fail_empty(export->glob);
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

static enum status add_host(struct export *export, const struct machine_word *word)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(export->cli);
	struct pmuq_hosts *hosts = NULL;
	int64_t number = 0;
	enum status status;

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_READ, &store, &error) < 0 ||
	    (word->snapshot &&
	     pmuq_store_find_snapshot(store, word->name, word->snapshot, &number, &error) < 0) ||
	    pmuq_store_list_hosts(store, NULL, &hosts, &error) < 0)
		return report_error(error, NULL);
	status = add_snapshot(export, store, word->name, number,
			      first_seen(hosts, word->name, number));
	pmuq_hosts_free(hosts);
	return status;
}

static enum status add_machine(struct export *export, const char *text)
{
	cleanup(machine_word_clear) struct machine_word word = { 0 };
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	enum status status = machine_word_read(export->cli, text, &word);

	if (status == STATUS_OK && word.type == MACHINE_HOST)
		return add_host(export, &word);
	if (status == STATUS_OK)
		status = machine_read(export->cli, text, &catalog);
	return status == STATUS_OK ? add(export, catalog, NULL, 0) : status;
}

static enum status add_tree(struct export *export)
{
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	enum status status = source_read(export->cli, &catalog);

	return status == STATUS_OK ? add(export, catalog, NULL, 0) : status;
}

/* The machines that are named, or that of the other options. */
static enum status add_machines(struct export *export, size_t n, char **words)
{
	const struct cli *cli = export->cli;
	enum status status = STATUS_OK;

	if (!n && cli->host && !cli->sysroot)
		return add_machine(export, cli->host);
	if (!n)
		return add_tree(export);
	for (size_t i = 0; status == STATUS_OK && i < n; i++)
		status = add_machine(export, words[i]);
	return status;
}

static enum status write_out(const struct export *export)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *text = NULL;
	size_t n = 0;

	if (pmuq_writer_text(export->writer, export->form, &text, &n, &error) < 0)
		return report_error(error, NULL);
	/* Whether stdout took all of it is tested once, when the command ends. */
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

static enum status export_machines(struct export *export, size_t n, char **words)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	enum status status;

	if (pmuq_writer_new(&export->writer, &error) < 0)
		return report_error(error, NULL);
	status = export->wants_all ? add_all(export) : add_machines(export, n, words);
	if (status == STATUS_OK)
		status = export->path ? write_file(export) : write_out(export);
	pmuq_writer_free(export->writer);
	return status;
}

/* The machines are named in one way only. */
static enum status refuse_names(const struct options *options, bool wants_all)
{
	const struct cli *cli = options->cli;
	const char *option = cli->host ? "--host" : cli->sysroot ? "--sysroot" : NULL;

	if (wants_all && option)
		return usage_error(options->command, "--all-hosts and %s exclude each other",
				   option);
	if (options->n_operands && (wants_all || option))
		return usage_error(options->command, "name the machine '%s' or %s, not both",
				   options->words[0], option ? option : "--all-hosts");
	return STATUS_OK;
}

static enum status run_export(struct options *options)
{
	struct export export = { .cli = options->cli };
	enum option option;
	enum status status;

	while ((option = options_next(options)) != OPTION_END) {
		if (option == OPTION_STOP)
			return options->status;
		if (option == OPTION_OUTPUT) {
			export.path =
				strcmp(options->argument, "-") == 0 ? NULL : options->argument;
			continue;
		}
		export.wants_all = true;
		export.glob = options->argument;
	}
	export.form =
		options->output.form == DOCUMENT_JSON ? PMUQ_DOCUMENT_JSON : PMUQ_DOCUMENT_YAML;
	status = refuse_names(options, export.wants_all);
	return status == STATUS_OK ? export_machines(&export, options->n_operands, options->words)
				   : status;
}

const struct command cmd_export = {
	.name = "export",
	.arguments = "[MACHINE...]",
	.summary = "write machines as YAML or JSON",
	.text = MACHINE_WORDS
	"Nothing is lost: `pmuq import` makes the same machines of the text, and exporting\n"
	"these gives the same text. Hosts with equal PMUs become one document. The format\n"
	"is described in pmuq-inventory(5).\n\n"
	"Examples:\n"
	"  pmuq export --output web.yaml web01 web02@7\n"
	"  pmuq export --all-hosts='web*'\n",
	.options = export_options,
	.run = run_export,
};
