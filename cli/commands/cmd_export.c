/* SPDX-License-Identifier: MIT */
/*
 * `pmuq export`: writes machines as documents of the inventory. The library writes the documents
 * (document/); this file finds the machines and the target of the text. Machines of one host class
 * become one document, so nothing is written before all machines are known.
 */
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/interrupt.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/served.h"
#include <string.h>
#include <unistd.h>

/* The writer collects the machines; it is freed by run_export(). */
struct export
{
	const struct options *options;
	struct pmuq_writer *writer;
};

/* When a machine was seen in its state, seconds since 1970; 0: unknown. */
struct times {
	int64_t first_s, last_s;
};
#define TIMES_UNKNOWN ((struct times){ 0 })

static struct times times_of(const struct pmuq_snapshot *snapshot)
{
	return (struct times){ snapshot->first_seen_s, snapshot->last_seen_s };
}

/* `name` is NULL for a machine without a name in a database; its hostname is then used, if
 * known. */
static enum status add(struct export *export, const struct pmuq_catalog *catalog, const char *name,
		       struct times seen)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (pmuq_writer_add_seen(export->writer, catalog, name, seen.first_s, seen.last_s, &error) <
	    0)
		return report_error(error, NULL);
	return STATUS_OK;
}

/* One host at a time is read completely: the writer keeps only the differences. */
static enum status add_snapshot(struct export *export, struct pmuq_store *store, const char *name,
				int64_t number, struct times seen)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (pmuq_store_open_host(store, name, number, &source, &error) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, &error) < 0)
		return report_error(error, NULL);
	return add(export, catalog, name, seen);
}

/* The newest snapshot of each host of the list. Nothing is written before all are known, so
 * nothing of an interrupted export is kept. */
static enum status add_hosts(struct export *export, struct pmuq_store *store,
			     const struct pmuq_hosts *hosts)
{
	size_t n = pmuq_hosts_count(hosts), i;
	enum status status = STATUS_OK;
	struct interrupt interrupt;
	struct progress progress;

	progress_begin(&progress);
	interrupt_begin(&interrupt);
	for (i = 0; status == STATUS_OK && i < n && !interrupt_came(); i++) {
		const struct pmuq_host *host = pmuq_hosts_get(hosts, i);
		const struct pmuq_snapshot *newest =
			pmuq_hosts_snapshot(hosts, i, host->n_snapshots - 1);

		progress_show(&progress, i, n, host->name.p);
		status =
			add_snapshot(export, store, host->name.p, newest->number, times_of(newest));
	}
	interrupt_end(&interrupt);
	progress_end(&progress);
	if (status != STATUS_OK || !interrupt_came())
		return status;
	report(REPORT_NOTE, "interrupted after %zu of %zu hosts; nothing was written", i, n);
	return STATUS_INTERRUPTED;
}

/* An empty inventory is not a document, and would replace an older file. */
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
	const char *glob = option_value(export->options, OPTION_ALL_HOSTS);
	const struct pmuq_hosts_filter newest = {
		.size = sizeof(newest),
		.globs = &glob,
		.n_globs = glob != NULL,
		.is_newest_only = true,
	};
	struct pmuq_store *store;
	cleanup(pmuq_hosts_freep) struct pmuq_hosts *hosts = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status = database_read(&export->options->cli, &store);

	if (status != STATUS_OK)
		return status;
	if (pmuq_store_list_hosts(store, &newest, &hosts, &error) < 0)
		return report_error(error, NULL);
	return pmuq_hosts_count(hosts) ? add_hosts(export, store, hosts) : fail_empty(glob);
}

/* When the host's snapshot of that number was seen; 0: the newest. */
static struct times find_times(const struct pmuq_hosts *hosts, const char *name, int64_t number)
{
	for (size_t i = 0; i < pmuq_hosts_count(hosts); i++) {
		size_t n = pmuq_hosts_get(hosts, i)->n_snapshots;

		if (strcmp(pmuq_hosts_get(hosts, i)->name.p, name) != 0)
			continue;
		for (size_t s = 0; s < n; s++)
			if (pmuq_hosts_snapshot(hosts, i, s)->number == number ||
			    (!number && s + 1 == n))
				return times_of(pmuq_hosts_snapshot(hosts, i, s));
	}
	return TIMES_UNKNOWN;
}

/* The times when the snapshot was seen are exported with it, so that import restores them. */
static enum status add_host(struct export *export, const struct machine_word *word)
{
	struct pmuq_store *store;
	cleanup(pmuq_hosts_freep) struct pmuq_hosts *hosts = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	int64_t number = 0;
	enum status status = database_read(&export->options->cli, &store);

	if (status != STATUS_OK)
		return status;
	if ((word->snapshot &&
	     pmuq_store_find_snapshot(store, word->name, word->snapshot, &number, &error) < 0) ||
	    pmuq_store_list_hosts(store, NULL, &hosts, &error) < 0)
		return report_error(error, NULL);
	return add_snapshot(export, store, word->name, number,
			    find_times(hosts, word->name, number));
}

/* A host of the database has a name and a history; a file or this machine has neither. */
static enum status add_machine(struct export *export, const char *text)
{
	cleanup(machine_word_clear) struct machine_word word = { 0 };
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	enum status status = machine_word_read(&export->options->cli, text, &word);

	if (status == STATUS_OK && word.type == MACHINE_HOST)
		return add_host(export, &word);
	if (status == STATUS_OK)
		status = machine_read(&export->options->cli, text, &catalog);
	return status == STATUS_OK ? add(export, catalog, NULL, TIMES_UNKNOWN) : status;
}

/* The machine of --sysroot, or this one. */
static enum status add_tree(struct export *export)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	enum status status = source_read(&export->options->cli, &catalog);

	return status == STATUS_OK ? add(export, catalog, NULL, TIMES_UNKNOWN) : status;
}

/* The named machines, or the one that the other options select. */
static enum status add_machines(struct export *export)
{
	const struct options *options = export->options;
	enum status status = STATUS_OK;

	if (option_is_set(options, OPTION_ALL_HOSTS))
		return add_all(export);
	if (!options->n_operands && options->cli.host && !options->cli.sysroot)
		return add_machine(export, options->cli.host);
	if (!options->n_operands)
		return add_tree(export);
	for (size_t i = 0; status == STATUS_OK && i < options->n_operands; i++)
		status = add_machine(export, options->operands[i]);
	return status;
}

static enum status write_out(const struct export *export, enum pmuq_document_form form)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *text = NULL;
	size_t n = 0;

	if (pmuq_writer_text(export->writer, form, &text, &n, &error) < 0)
		return report_error(error, NULL);
	/* The command checks once, at its end, whether stdout took everything. */
	if (!served) {
		fwrite(text, 1, n, stdout);
		return STATUS_OK;
	}
	pq_buf_add(&served->document, (struct pmuq_str){ .p = text, .n = n });
	served_limit_document(served);
	return STATUS_OK;
}

/* The old file stays until the new one is complete, also if the disk is full. */
static enum status write_file(const struct export *export, enum pmuq_document_form form,
			      const char *path)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct output output;
	enum status status = output_open(&output, path);

	if (status == STATUS_OK && pmuq_writer_write(export->writer, form, output.fd, &error) < 0)
		status = report_error(error, path);
	if (status == STATUS_OK)
		status = output_keep(&output);
	output_close(&output);
	return status;
}

static enum status write_machines(const struct export *export)
{
	const char *path = option_value(export->options, OPTION_OUTPUT);
	enum pmuq_document_form form = export->options->output.form == DOCUMENT_JSON
					       ? PMUQ_DOCUMENT_JSON
					       : PMUQ_DOCUMENT_YAML;

	return path && strcmp(path, "-") != 0 ? write_file(export, form, path)
					      : write_out(export, form);
}

/* The machines can be named in one way only. */
static enum status refuse_names(const struct options *options)
{
	const char *option = cli_machine_option(&options->cli);
	bool wants_all = option_is_set(options, OPTION_ALL_HOSTS);

	if (wants_all && option)
		return usage_error("--all-hosts and --%s exclude each other", option);
	if (options->n_operands && (wants_all || option))
		return usage_error("name the machine '%s' or --%s, not both", options->operands[0],
				   option ? option : "all-hosts");
	return STATUS_OK;
}

static enum status run_export(const struct options *options)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct export export = { .options = options };
	enum status status = refuse_names(options);

	if (status != STATUS_OK)
		return status;
	if (pmuq_writer_new(&export.writer, &error) < 0)
		return report_error(error, NULL);
	status = add_machines(&export);
	if (status == STATUS_OK)
		status = write_machines(&export);
	pmuq_writer_free(export.writer);
	return status;
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
	.options = OPTION_LIST(OPTION_JSON, OPTION_YAML, OPTION_ALL_HOSTS, OPTION_OUTPUT),
	.run = run_export,
};
