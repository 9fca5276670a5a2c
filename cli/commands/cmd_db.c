/* SPDX-License-Identifier: MIT */
/*
 * `pmuq db`: what the administrator of a database on a server does with it. Each verb is a row of
 * verbs[], with the options that it takes.
 */
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/options.h"
#include "cli/output/rows.h"
#include "cli/report.h"
#include "cli/verbs.h"
#include <string.h>

/* ---- init */

struct init_report {
	const char *prefix;
	struct pmuq_inbox_made made;
};

#define OF(name) MEMBER(struct init_report, name)

// clang-format off
static const struct field init_fields[] = {
	{ .name = STR("prefix"),     .type = FIELD_TEXT, OF(prefix), .help = "of the names of the roles" },
	{ .name = STR("new_inbox"),  .type = FIELD_BOOL, OF(made.is_new), .help = "the database had no inbox" },
	{ .name = STR("new_reader"), .type = FIELD_BOOL, OF(made.has_new_reader), .help = "the role PREFIX_reader was created" },
	{ .name = STR("new_writer"), .type = FIELD_BOOL, OF(made.has_new_writer), .help = "the role PREFIX_writer was created" },
	{ .name = STR("new_agent"),  .type = FIELD_BOOL, OF(made.has_new_agent), .help = "the role PREFIX_agent was created" },
	{ .name = STR("closed"),     .type = FIELD_BOOL, OF(made.is_closed), .help = "agents have no right that they do not need" },
};

static const struct field rejection_fields[] = {
	{ .name = STR("host"),     .type = FIELD_TEXT,  .flags = FIELD_SHOWN, .width = 12,
	  MEMBER(struct pmuq_rejection, host),          .help = "the host of the agent" },
	{ .name = STR("role"),     .type = FIELD_TEXT,  .width = 12,
	  MEMBER(struct pmuq_rejection, role),          .help = "the role of the agent" },
	{ .name = STR("received"), .type = FIELD_TIME,  .flags = FIELD_SHOWN, .width = 16,
	  MEMBER(struct pmuq_rejection, received_s),    .help = "when it was delivered, UTC" },
	{ .name = STR("bytes"),    .type = FIELD_COUNT, .width = 6,
	  MEMBER(struct pmuq_rejection, bytes),         .help = "its size in the inbox" },
	{ .name = STR("error"),    .type = FIELD_TEXT,  .flags = FIELD_SHOWN | FIELD_WRAP, .percent = 50,
	  MEMBER(struct pmuq_rejection, error),         .help = "why it could not be stored" },
};
// clang-format on

static const struct record_type init_record = { .name = "init", FIELDS(init_fields) };
static const struct record_type rejection_record = { .name = "rejection",
						     FIELDS(rejection_fields) };

static const struct document_type init_document = {
	.name = "db-init",
	.title = "pmuq db init",
	.head = &init_record,
};

static const struct document_type rejected_document = {
	.name = "db-rejected",
	.title = "pmuq db rejected",
	.rows = "rejections",
	.row = &rejection_record,
	.is_table = true,
};

static void print_role(const struct init_report *result, const char *name, bool is_new,
		       const char *purpose)
{
	printf("role %s_%s: %s: %s\n", result->prefix, name, is_new ? "created" : "was there",
	       purpose);
}

static void print_init(const struct init_report *result)
{
	printf("inbox: %s\n", result->made.is_new ? "created" : "up to date");
	print_role(result, "reader", result->made.has_new_reader, "may read all hosts");
	print_role(result, "writer", result->made.has_new_writer,
		   "may also scan, import, forget and ingest");
	print_role(result, "agent", result->made.has_new_agent,
		   "may only push the host of its own name");
	if (!result->made.is_closed)
		report(REPORT_NOTE,
		       "every role of this database may still create temporary tables and large "
		       "objects, and take locks: as a superuser, `pmuq db init` ends that");
}

static enum status init(const struct options *options)
{
	cleanup(pmuq_store_freep) struct pmuq_store *store = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const char *prefix = option_value(options, OPTION_PREFIX);
	struct init_report result = { .prefix = prefix ? prefix : "pmuq",
				      .made = { .size = sizeof(result.made) } };
	enum status status;

	if (options->n_operands > 1)
		return usage_error("db init takes no argument '%s'", options->operands[1]);
	status = database_open(&options->cli, PMUQ_STORE_CREATE, &store);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_make_inbox(store, prefix, &result.made, &error) < 0)
		return report_error(error, NULL);
	if (options->output.form != DOCUMENT_NONE)
		return document_print(options->output.form, &init_document, &result);
	print_init(&result);
	return STATUS_OK;
}

/* ---- deliveries that could not be stored */

static enum status list_rejected(const struct options *options)
{
	struct pmuq_store *store;
	cleanup(pmuq_rejections_freep) struct pmuq_rejections *rejections = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct rows rows;
	enum status status;

	if (options->n_operands > 1)
		return usage_error("db rejected takes no argument '%s'", options->operands[1]);
	status = database_read(&options->cli, &store);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_list_rejections(store, &rejections, &error) < 0)
		return report_error(error, NULL);
	rows_begin(&rows, &rejected_document, &options->output, FIELD_SHOWN);
	for (size_t i = 0; i < pmuq_rejections_count(rejections); i++)
		rows_add(&rows, pmuq_rejections_get(rejections, i));
	return rows_end(&rows);
}

static enum status drop_one(struct pmuq_store *store, const char *host, size_t *n)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	size_t more = 0;

	if (pmuq_store_drop_rejection(store, host, &more, &error) < 0)
		return report_error(error, NULL);
	*n += more;
	return STATUS_OK;
}

static enum status drop(const struct options *options)
{
	cleanup(pmuq_store_freep) struct pmuq_store *store = NULL;
	bool wants_all = option_is_set(options, OPTION_ALL_HOSTS);
	enum status status;
	size_t n = 0;

	if (wants_all == (options->n_operands > 1))
		return usage_error("db drop needs hosts or --all-hosts");
	if (option_value(options, OPTION_ALL_HOSTS))
		return usage_error("db drop --all-hosts takes no pattern: name the hosts");
	status = database_open(&options->cli, PMUQ_STORE_WRITE, &store);
	if (status == STATUS_OK && wants_all)
		status = drop_one(store, NULL, &n);
	for (size_t i = 1; status == STATUS_OK && i < options->n_operands; i++)
		status = drop_one(store, options->operands[i], &n);
	if (status == STATUS_OK)
		printf("removed %zu rejected deliver%s\n", n, n == 1 ? "y" : "ies");
	return status;
}

/* ---- verbs */

static const struct verb verbs[] = {
	{ "init", init, .prints = true, .own = { OPTION_PREFIX } },
	{ "rejected", list_rejected, .prints = true },
	{ "drop", drop, .own = { OPTION_ALL_HOSTS } },
};

static enum status run_db(const struct options *options)
{
	return verbs_run(verbs, COUNT(verbs), options);
}

const struct command cmd_db = {
	.name = "db",
	.arguments = "init|rejected|drop HOST...",
	.needs = "a verb: init, rejected or drop",
	.no_host = "it is about a whole database",
	.no_sysroot = "it is about a whole database",
	.summary = "manage a database on a server",
	.text = "For a database on a PostgreSQL server, to which hosts push their machines. init\n"
		"creates the inbox, and the roles pmuq_reader, pmuq_writer and pmuq_agent; it\n"
		"keeps what exists. rejected lists what hosts delivered and `pmuq ingest` could\n"
		"not store; drop removes it, and the host delivers again.\n\n"
		"Examples:\n"
		"  pmuq --db postgresql://postgres@/hosts db init\n"
		"  pmuq --db service=pmuq db rejected\n"
		"  pmuq --db service=pmuq db drop web01\n",
	.options = OPTION_LIST(OPTION_PREFIX, OPTION_ALL_HOSTS, OPTIONS_TABLE, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&init_document, &rejected_document),
	.run = run_db,
};
