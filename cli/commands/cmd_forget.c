/* SPDX-License-Identifier: MIT */
/* `pmuq forget`: hosts and snapshots out of the database, all that were named or none. */
#include "cli/clock.h"
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/report.h"
#include <inttypes.h>
#include <string.h>

static const enum option forget_options[] = {
	OPTION_BEFORE, OPTION_KEEP, OPTION_DRY_RUN, OPTIONS_DOCUMENT, OPTION_END,
};

struct forget {
	const struct command *command;
	const struct cli *cli;
	enum document_form form;
	struct pmuq_forget_options options;
	struct pmuq_store *store;
	char **names;	    /* copies, without the snapshot */
	int64_t *snapshots; /* 0: all of the host's */
	size_t n;
};

#define DAY_S 86400

/* A number of at most nine digits. */
static bool take_number(const char *text, size_t n, int64_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < n; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*ret = *ret * 10 + (text[i] - '0');
	}
	return n > 0 && n < 10;
}

static enum status take_before(struct forget *forget, const char *text)
{
	size_t n = strlen(text);
	int64_t days, last;

	if (n > 1 && text[n - 1] == 'd' && take_number(text, n - 1, &days))
		forget->options.before_s = clock_now_s() - days * DAY_S;
	else if (!pmuq_time_parse(text, &forget->options.before_s, &last))
		return usage_error(forget->command,
				   "--before takes a date (2026-11-01, 2026-11-01 10:30) or days "
				   "ago (90d), not '%s'",
				   text);
	return STATUS_OK;
}

static enum status take_keep(struct forget *forget, const char *text)
{
	int64_t n;

	if (!take_number(text, strlen(text), &n) || n == 0)
		return usage_error(forget->command, "--keep takes a number from 1, not '%s'", text);
	forget->options.keep = (size_t)n;
	return STATUS_OK;
}

static enum status take_word(struct forget *forget, const char *text)
{
	cleanup(machine_word_clear) struct machine_word word = { 0 };
	cleanup(error_freep) struct pmuq_error *error = NULL;
	enum status status = machine_word_read(forget->cli, text, &word);

	if (status != STATUS_OK)
		return status;
	if (word.type != MACHINE_HOST)
		return usage_error(forget->command, "'%s' is not a host of the database", text);
	if (word.snapshot && pmuq_store_find_snapshot(forget->store, word.name, word.snapshot,
						      &forget->snapshots[forget->n], &error) < 0)
		return report_error(error, NULL);
	forget->names[forget->n++] = move(word.name);
	return STATUS_OK;
}

/* ------------------------------------------------------------------------------------- output */

struct forget_report {
	bool is_trial;
	struct pmuq_forgotten forgotten;
};

#define OF(name) MEMBER(struct forget_report, name)

// clang-format off
static const struct field report_fields[] = {
	{ .name = STR("dry_run"),      .type = FIELD_BOOL,  OF(is_trial), .help = "nothing was changed" },
	{ .name = STR("snapshots"),    .type = FIELD_COUNT, OF(forgotten.snapshots), .help = "number of snapshots that are forgotten" },
	{ .name = STR("hosts"),        .type = FIELD_COUNT, OF(forgotten.hosts), .help = "number of hosts without a snapshot now" },
	{ .name = STR("layouts"),      .type = FIELD_COUNT, OF(forgotten.layouts), .help = "number of sets of PMUs that no other snapshot shared" },
	{ .name = STR("host_classes"), .type = FIELD_COUNT, OF(forgotten.host_classes), .help = "number of host classes without a snapshot now" },
	{ .name = STR("free_bytes"),   .type = FIELD_COUNT, OF(forgotten.free_bytes), .help = "unused part of the database, which does not shrink" },
};
// clang-format on

static const struct record_type report_record = { .name = "forget", FIELDS(report_fields) };

static const struct document_type forget_document = {
	.name = "forget",
	.title = "pmuq forget",
	.head = &report_record,
};

static const struct document_type *const forget_documents[] = { &forget_document, NULL };

static void print_text(const struct forget_report *report)
{
	const struct pmuq_forgotten *forgotten = &report->forgotten;

	print_plural(report->is_trial ? "would remove " : "removed ", forgotten->snapshots,
		     "snapshot");
	if (forgotten->hosts)
		print_plural(", ", forgotten->hosts, "host");
	if (forgotten->layouts)
		print_plural(", ", forgotten->layouts, "layout");
	if (forgotten->host_classes)
		printf(", %zu host class%s", forgotten->host_classes,
		       forgotten->host_classes == 1 ? "" : "es");
	printf(": %zu KiB of the database %s free\n", forgotten->free_bytes / 1024,
	       report->is_trial ? "would be" : "are");
}

static enum status forget_words(struct forget *forget, char **words, size_t n)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct forget_report report = { .is_trial = forget->options.is_trial,
					.forgotten = { .size = sizeof(report.forgotten) } };
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < n; i++)
		status = take_word(forget, words[i]);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_forget(forget->store, (const char *const *)forget->names, forget->snapshots,
			      n, &forget->options, &report.forgotten, &error) < 0)
		return report_error(error, NULL);
	if (forget->form != DOCUMENT_NONE)
		return document_print(forget->form, &forget_document, &report);
	print_text(&report);
	return STATUS_OK;
}

static enum status open_and_forget(struct forget *forget, const struct cli *cli, char **words,
				   size_t n)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(cli);
	enum status status;

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_WRITE, &forget->store, &error) < 0)
		return report_error(error, NULL);
	forget->names = calloc(n + 1, sizeof(*forget->names));
	forget->snapshots = calloc(n + 1, sizeof(*forget->snapshots));
	status = forget->names && forget->snapshots ? forget_words(forget, words, n)
						    : report_failed("out of memory");
	for (size_t i = 0; i < forget->n; i++)
		free(forget->names[i]);
	free(forget->names);
	free(forget->snapshots);
	pmuq_store_free(forget->store);
	return status;
}

static enum status take_option(struct forget *forget, enum option option, const char *argument)
{
	if (option == OPTION_BEFORE)
		return take_before(forget, argument);
	if (option == OPTION_KEEP)
		return take_keep(forget, argument);
	forget->options.is_trial = true;
	return STATUS_OK;
}

static enum status run_forget(struct options *options)
{
	struct forget forget = { .command = options->command,
				 .cli = options->cli,
				 .options = { .size = sizeof(forget.options) } };
	enum status status = STATUS_OK;
	enum option option;

	while (status == STATUS_OK && (option = options_next(options)) != OPTION_END) {
		if (option == OPTION_STOP)
			return options->status;
		status = take_option(&forget, option, options->argument);
	}
	if (status != STATUS_OK)
		return status;
	forget.form = options->output.form;
	if (options->cli->sysroot || options->cli->host)
		return usage_error(forget.command,
				   "forget takes hosts as arguments, not with --host or --sysroot");
	if (!options->n_operands && !forget.options.before_s && !forget.options.keep)
		return usage_error(forget.command, "forget needs a host, --before or --keep");
	return open_and_forget(&forget, options->cli, options->words, options->n_operands);
}

const struct command cmd_forget = {
	.name = "forget",
	.arguments = "[HOST[@SNAPSHOT]...]",
	.summary = "remove hosts or snapshots from the database",
	.text = "Everything that is named is removed, or nothing. Without a HOST, --before and\n"
		"--keep select snapshots of every host. Data that other snapshots share stays.\n"
		"The file does not shrink; the database reuses the free part. A SNAPSHOT is a\n"
		"number, a date (UTC) or a kernel, as printed by `pmuq hosts --history`.\n\n"
		"Examples:\n"
		"  pmuq forget web1 db1@12\n"
		"  pmuq forget --keep 5\n"
		"  pmuq forget --before 180d --dry-run\n",
	.options = forget_options,
	.documents = forget_documents,
	.run = run_forget,
};
