/* SPDX-License-Identifier: MIT */
/*
 * `pmuq hosts`: lists the hosts of the database, the snapshots of one (--history), the hosts on
 * which an event string is valid (--with), and renames one. A string is encoded once for each host
 * class, because hosts of a class give the same result; whether the event opened is known for each
 * check of the class.
 */
#include "cli/database.h"
#include "cli/hosts/host_names.h"
#include "cli/hosts/host_rows.h"
#include "cli/hosts/stored_hosts.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/output/rows.h"
#include "cli/report.h"
#include <string.h>

struct hosts {
	const struct options *options;
	const char *with; /* --with, or NULL */
	bool wants_history;
	struct pmuq_hosts_filter filter;
	struct host_list list;
	struct host_rows rows;
};

/* ------------------------------------------------------------------------------ --with */

/* The result of the string on a host class. */
struct class_result {
	bool is_valid;
	enum opens *opens; /* for each of the class's checks */
};

/* No kernel is involved: the results of `pmuq scan --check` are searched for the same attr. */
static enum status find_opens(struct hosts *hosts, const struct open_class *open,
			      const struct pmuq_encodings *encodings, struct class_result *ret)
{
	size_t n = pmuq_hosts_class(hosts->list.hosts, open->index)->n_checks;

	ret->opens = or_die(calloc(n + 1, sizeof(*ret->opens)));
	for (size_t i = 0; i < n; i++) {
		cleanup(pmuq_check_freep) struct pmuq_check *check = NULL;
		const struct pmuq_check_result *result;
		enum status status = host_list_read_check(&hosts->list, open->index, i, &check);

		if (status != STATUS_OK)
			return status;
		ret->opens[i] = opens_find(open->source, check, encodings, &result);
	}
	return STATUS_OK;
}

/* A string that is invalid on this class is not a failure; one that is invalid on all hosts is. */
static enum status try_class(struct hosts *hosts, size_t index, struct class_result *ret)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct open_class open;
	struct pmuq_encode_options options = { .size = sizeof(options), .pfm = hosts->list.pfm };
	enum status status = host_list_open_class(&hosts->list, index, NULL, &open);

	if (status != STATUS_OK)
		return status;
	options.vendor = open.vendor;
	ret->is_valid =
		pmuq_source_encode(open.source, hosts->with, &options, &encodings, &error) == 0;
	if (ret->is_valid)
		status = find_opens(hosts, &open, encodings, ret);
	/* A syntax error is the same on every host. */
	else if (report_status(error->code) == STATUS_FAILED || error->code == PMUQ_E_SYNTAX)
		status = report_error(error, NULL);
	pmuq_encodings_free(move(encodings));
	host_list_close_class(&open);
	return status;
}

/* Keeps the rows of hosts on which the string is valid. */
static void keep_valid(struct hosts *hosts, const struct class_result *results)
{
	size_t n = 0;

	for (size_t i = 0; i < hosts->rows.n; i++) {
		struct host_row row = hosts->rows.v[i];
		const struct class_result *of = &results[row.host->host_class];
		size_t check = row.host->check;

		if (!of->is_valid)
			continue;
		row.opens = check == PMUQ_NOT_KNOWN ? OPENS_UNCHECKED : of->opens[check];
		hosts->rows.v[n++] = row;
	}
	hosts->rows.n = n;
}

static enum status keep_with(struct hosts *hosts)
{
	size_t n = pmuq_hosts_class_count(hosts->list.hosts);
	struct class_result *results = or_die(calloc(n + 1, sizeof(*results)));
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < n; i++)
		status = try_class(hosts, i, &results[i]);
	if (status == STATUS_OK)
		keep_valid(hosts, results);
	for (size_t i = 0; i < n; i++)
		free(results[i].opens);
	free(results);
	return status;
}

/* ------------------------------------------------------------------------------- table */

/* --history prints snapshots; --with adds the column OPENS. */
static enum status print_rows(const struct hosts *hosts)
{
	struct rows rows;

	rows_begin(&rows, &hosts_document, &hosts->options->output,
		   (hosts->wants_history ? FIELD_HISTORY : FIELD_SHOWN) |
			   (hosts->with ? FIELD_CHECKED : 0));
	for (size_t i = 0; i < hosts->rows.n; i++)
		rows_add(&rows, &hosts->rows.v[i]);
	return rows_end(&rows);
}

/* An empty table would not explain why it is empty. */
static void note_nothing(const struct hosts *hosts)
{
	if (pmuq_hosts_count(hosts->list.hosts) == 0 && hosts->filter.n_globs == 0)
		report(REPORT_NOTE, "the database has no host yet: `pmuq scan` stores this one");
	else if (hosts->with && hosts->rows.n == 0)
		report(REPORT_NOTE,
		       "'%s' is not valid on any of %zu hosts; `pmuq encode --all-hosts` shows why",
		       hosts->with, pmuq_hosts_count(hosts->list.hosts));
}

static enum status find_and_print(struct hosts *hosts)
{
	enum status status = STATUS_OK;

	host_rows_make(&hosts->rows, hosts->list.hosts);
	if (hosts->with)
		status = keep_with(hosts);
	if (!hosts->wants_history)
		host_rows_sort(&hosts->rows);
	if (status == STATUS_OK)
		status = print_rows(hosts);
	if (status != STATUS_OK)
		return status;
	note_nothing(hosts);
	if (hosts->with && hosts->rows.n == 0)
		return STATUS_INVALID;
	return host_list_report_unmatched(hosts->list.hosts, &hosts->filter);
}

/* An unknown column is reported before the database is read, which can be slow. */
static enum status print_hosts(struct hosts *hosts)
{
	const struct options *options = hosts->options;
	struct columns columns;
	enum status status =
		columns_choose(&columns, hosts_document.row, options->output.columns, FIELD_SHOWN);

	if (status != STATUS_OK)
		return status;
	status = host_list_open(&hosts->list, &options->cli, &hosts->filter);
	if (status == STATUS_OK)
		status = find_and_print(hosts);
	pq_vec_free(&hosts->rows);
	host_list_close(&hosts->list);
	return status;
}

/* ------------------------------------------------------------------------------ rename */

/* The operand is the new name, as in mv(1): old, then new. */
static enum status rename_host(const struct options *options)
{
	cleanup(pmuq_store_freep) struct pmuq_store *store = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const char *old = option_value(options, OPTION_RENAME), *name = options->operands[0];
	enum status status;

	if (options->n_operands != 1)
		return usage_error("--rename OLD needs one new name");
	if (!database_name_is_usable(name))
		return usage_error("a host cannot be called '%s': an @ begins a snapshot", name);
	status = database_open(&options->cli, PMUQ_STORE_WRITE, &store);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_rename_host(store, old, name, &error) < 0)
		return report_error(error, NULL);
	print_safe_line(stdout, "renamed host %s to %s", old, name);
	return STATUS_OK;
}

static enum status run_hosts(const struct options *options)
{
	bool wants_history = option_is_set(options, OPTION_HISTORY);
	struct hosts hosts = {
		.options = options,
		.with = option_value(options, OPTION_WITH),
		.wants_history = wants_history,
		.filter = {
			.size = sizeof(hosts.filter),
			.globs = (const char *const *)options->operands,
			.n_globs = options->n_operands,
			.is_newest_only = !wants_history,
		},
	};

	if (hosts.wants_history && hosts.with)
		return usage_error("--with and --history exclude each other");
	return option_is_set(options, OPTION_RENAME) ? rename_host(options) : print_hosts(&hosts);
}

const struct command cmd_hosts = {
	.name = "hosts",
	.arguments = "[GLOB...]",
	.no_host = "it lists the database",
	.no_sysroot = "it lists the database",
	.summary = "list or rename the hosts of the database",
	.text = "A GLOB (* ? [abc]) selects hosts by name. Hosts of one CLASS give the same\n"
		"result for every event string. With --with, OPENS is the result of the last\n"
		"`pmuq scan --check`. The exit status is 1 if no host matches, or the string is\n"
		"valid on no host. Times are UTC.\n\n"
		"Examples:\n"
		"  pmuq hosts 'web*'\n"
		"  pmuq hosts --with cpu/mem-loads,ldlat=30/ -rn -o HOST\n"
		"  pmuq hosts --history web1; pmuq --host web1@2026-11-01 list\n"
		"  pmuq hosts --rename web1 db1\n",
	.options = OPTION_LIST(OPTION_WITH, OPTION_HISTORY, OPTION_RENAME, OPTIONS_TABLE,
			       OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&hosts_document),
	.run = run_hosts,
};
