/* SPDX-License-Identifier: MIT */
/*
 * `pmuq scan`: stores the machine in its current state in the database. If nothing has changed
 * there is no new snapshot, and if the machine is stored under another name it keeps that name
 * (hosts/identity.h). With --check all its events are opened first (events/check_machine.h), which
 * takes seconds to minutes and may be interrupted. With --watch it goes on (follower.h).
 */
#include "cli/clock.h"
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/events/check_machine.h"
#include "cli/follower.h"
#include "cli/hosts/identity.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/report.h"
#include <inttypes.h>

/* The result of a scan. */
struct scan_report {
	const char *host;
	struct pmuq_saved saved;
	size_t pmus, events, formats, problems;
	const struct check_counts *check; /* NULL: nothing was opened */
};

// clang-format off
static const struct field check_fields[] = {
	{ .name = STR("events"),  .type = FIELD_COUNT, MEMBER(struct check_counts, events), .help = "number of events" },
	{ .name = STR("done"),    .type = FIELD_COUNT, MEMBER(struct check_counts, done), .help = "less than all if it was stopped" },
	{ .name = STR("opened"),  .type = FIELD_COUNT, MEMBER(struct check_counts, opened) },
	{ .name = STR("refused"), .type = FIELD_COUNT, MEMBER(struct check_counts, refused) },
	{ .name = STR("skipped"), .type = FIELD_COUNT, MEMBER(struct check_counts, skipped) },
};
static const struct record_type check_record = { .name = "check", FIELDS(check_fields) };

static const struct field report_fields[] = {
	{ .name = STR("host"),     .type = FIELD_TEXT,   MEMBER(struct scan_report, host), .help = "its name in the database" },
	{ .name = STR("snapshot"), .type = FIELD_NUMBER, MEMBER(struct scan_report, saved.snapshot), .help = "its number" },
	{ .name = STR("new"),      .type = FIELD_BOOL,   MEMBER(struct scan_report, saved.is_new), .help = "false: nothing has changed" },
	{ .name = STR("pmus"),     .type = FIELD_COUNT,  MEMBER(struct scan_report, pmus), .help = "number of PMUs" },
	{ .name = STR("events"),   .type = FIELD_COUNT,  MEMBER(struct scan_report, events), .help = "number of events" },
	{ .name = STR("formats"),  .type = FIELD_COUNT,  MEMBER(struct scan_report, formats), .help = "number of formats" },
	{ .name = STR("problems"), .type = FIELD_COUNT,  MEMBER(struct scan_report, problems), .help = "number of files that could not be read" },
	{ .name = STR("check"),    .type = FIELD_RECORD, .flags = FIELD_NULLABLE, MEMBER(struct scan_report, check), .record = &check_record,
	  .help = "with --check: results of opening the events" },
};
static const struct record_type report_record = { .name = "scan", FIELDS(report_fields) };
// clang-format on

static const struct document_type scan_document = {
	.name = "scan",
	.title = "pmuq scan",
	.head = &report_record,
};

static void count_parts(const struct pmuq_catalog *catalog, struct scan_report *report)
{
	const struct pmuq_machine *machine = pmuq_catalog_machine(catalog);

	report->pmus = machine->n_pmus;
	report->problems = machine->n_problems;
	for (size_t i = 0; i < machine->n_pmus; i++) {
		report->events += pmuq_catalog_pmu(catalog, i)->definition->n_events;
		report->formats += pmuq_catalog_pmu(catalog, i)->definition->n_formats;
	}
}

/* One line, because scans run from timers, and their output goes to logs. */
static void print_report(const struct scan_report *report)
{
	printf("host ");
	print_safe(stdout, report->host);
	printf(": snapshot %" PRId64 " (%s)", report->saved.snapshot,
	       report->saved.is_new ? "new" : "unchanged");
	print_plural(": ", report->pmus, "PMU");
	print_plural(", ", report->events, "event");
	print_plural(", ", report->formats, "format");
	print_plural(", ", report->problems, "problem");
	putchar('\n');
	if (report->check)
		print_check(report->check);
}

/* The data to store; the catalog lives in scan_machine(). */
struct scan {
	const struct cli *cli;
	const char *name; /* NULL: the machine's own */
	enum document_form form;
	int64_t time_s;
	const struct pmuq_catalog *catalog;
};

/* The name under which to store it; the caller frees *ret_known. */
static enum status find_name(const struct scan *scan, struct pmuq_store *store, char **ret_known,
			     const char **ret)
{
	enum status status;

	*ret = scan->name;
	if (*ret)
		return STATUS_OK;
	status = identity_find(store, scan->catalog, ret_known);
	*ret = *ret_known ? *ret_known : pmuq_catalog_find_fact(scan->catalog, "hostname");
	return status == STATUS_OK && *ret ? database_check_name(NULL, *ret) : status;
}

static enum status print(const struct scan *scan, const struct scan_report *result)
{
	if (scan->form != DOCUMENT_NONE)
		return document_print(scan->form, &scan_document, result);
	print_report(result);
	return STATUS_OK;
}

/* `check` may be NULL. */
static enum status save(const struct scan *scan, const struct pmuq_check *check)
{
	cleanup(pmuq_store_freep) struct pmuq_store *store = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *known = NULL;
	struct check_counts counts;
	struct scan_report result = { .saved = { .size = sizeof(result.saved) } };
	enum status status = database_open(scan->cli, PMUQ_STORE_CREATE, &store);

	if (status == STATUS_OK)
		status = find_name(scan, store, &known, &result.host);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_save(store, scan->catalog, check, result.host, scan->time_s, &result.saved,
			    &error) < 0)
		return report_error(error, NULL);
	count_parts(scan->catalog, &result);
	if (check) {
		counts = count_check(check);
		result.check = &counts;
	}
	status = print(scan, &result);
	identity_note(store, scan->catalog, result.host);
	if (result.saved.has_old_check)
		report(REPORT_NOTE, "the database keeps the complete check of this machine");
	return status;
}

/* After Ctrl-C the results so far are stored, and the exit status is still that of the
 * interruption. */
static enum status check_and_save(const struct scan *scan)
{
	cleanup(pmuq_check_freep) struct pmuq_check *check = NULL;
	enum status status = check_machine(scan->catalog, scan->time_s, &check), saved;

	if (!check)
		return status;
	saved = save(scan, check);
	return saved == STATUS_OK ? status : saved;
}

/* The time is taken after the machine was read: it is the time when the machine was last in this
 * state. */
static enum status scan_machine(struct scan *scan, bool wants_check)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(pmuq_store_freep) struct pmuq_store *probe = NULL;
	enum status status = source_read(scan->cli, &catalog);

	/* A database that cannot be written is reported before a check, which can be slow. */
	if (status == STATUS_OK && wants_check)
		status = database_open(scan->cli, PMUQ_STORE_CREATE, &probe);
	if (status != STATUS_OK)
		return status;
	pmuq_store_free(move(probe));
	scan->catalog = catalog;
	scan->time_s = clock_now_s();
	return wants_check ? check_and_save(scan) : save(scan, NULL);
}

static enum status save_followed(struct scan *scan, const struct follower *follower,
				 bool wants_check)
{
	scan->catalog = follower->catalog;
	scan->time_s = clock_now_s();
	return wants_check ? check_and_save(scan) : save(scan, NULL);
}

/* Stores the machine now and after each change, until the user ends the command. */
static enum status scan_changes(struct scan *scan, bool wants_check)
{
	struct follower follower;
	struct follower_change change;
	enum status status = follower_begin(&follower, scan->cli);

	if (status == STATUS_OK)
		status = save_followed(scan, &follower, wants_check);
	while (status == STATUS_OK && fflush(stdout) == 0) {
		status = follower_wait(&follower, -1, &change);
		if (status == STATUS_OK && change.before)
			status = save_followed(scan, &follower, wants_check);
		follower_change_clear(&change);
	}
	follower_clear(&follower);
	return status;
}

static enum status run_scan(const struct options *options)
{
	bool wants_check = option_is_set(options, OPTION_CHECK);
	struct scan scan = {
		.cli = &options->cli,
		.name = option_value(options, OPTION_NAME),
		.form = options->output.form,
	};

	if (scan.name && !database_name_is_usable(scan.name))
		return usage_error("--name %s: an @ begins a snapshot", scan.name);
	if (cli_machine_option(scan.cli) && wants_check)
		return usage_error("--check opens events on the running kernel; it cannot be used "
				   "with --%s",
				   cli_machine_option(scan.cli));
	if (option_is_set(options, OPTION_WATCH))
		return scan_changes(&scan, wants_check);
	return scan_machine(&scan, wants_check);
}

const struct command cmd_scan = {
	.name = "scan",
	.no_host = "that machine is in the database already",
	.summary = "store a snapshot of a machine in the database",
	.text = "If nothing has changed since the last snapshot, only the time is updated. With\n"
		"--check, pmuq opens every event of every PMU and every generic event, disabled,\n"
		"and closes it at once; `pmuq --host NAME list events` then shows which open.\n"
		"Ctrl-C ends the check and stores the results so far. With --watch, pmuq stores a\n"
		"snapshot after each change, until Ctrl-C. The database is\n"
		"$XDG_STATE_HOME/pmuq/pmuq.db, else ~/.local/state/pmuq/pmuq.db, for root\n"
		"/var/lib/pmuq/pmuq.db.\n\n"
		"Examples:\n"
		"  pmuq scan --check\n"
		"  pmuq --sysroot captured.tar.xz scan --name web01\n",
	.options = OPTION_LIST(OPTION_CHECK, OPTION_NAME, OPTION_WATCH, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&scan_document),
	.run = run_scan,
};
