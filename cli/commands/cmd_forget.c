/* SPDX-License-Identifier: MIT */
/*
 * `pmuq forget`: removes hosts and snapshots from the database, all that were named or none. Every
 * word is resolved before anything is removed, and the library removes them in one transaction.
 * Data that other snapshots share stays; the file keeps its size.
 */
#include "cli/clock.h"
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "core/num.h"
#include <string.h>

struct forget {
	const struct cli *cli;
	struct pmuq_forget_options options;
	struct pmuq_store *store;
	char **names;	    /* copies, without the snapshot */
	int64_t *snapshots; /* 0: all snapshots of the host */
	size_t n;
};

#define DAY_S 86400
/* Limits days ago, so that the product is a time. */
#define DAYS_MAX 999999999

/* A date means its first second: a snapshot that was seen on that day stays. */
static enum status take_before(const char *text, int64_t *ret)
{
	struct pmuq_str days = str_part(str_of(text), 0, strlen(text) - (*text != 0));
	uint64_t n;
	int64_t last;

	if (text[days.n] == 'd' && pq_num_decimal(days, &n) == PQ_NUM_OK && n <= DAYS_MAX)
		*ret = clock_now_s() - (int64_t)n * DAY_S;
	else if (!pmuq_time_parse(text, ret, &last))
		return usage_error("--before takes a date (2026-11-01, 2026-11-01 10:30) or days "
				   "ago (90d), not '%s'",
				   text);
	return STATUS_OK;
}

/* The store accepts names and numbers; this resolves "web1@2026-11-01" or a kernel. */
static enum status take_word(struct forget *forget, const char *text)
{
	cleanup(machine_word_clear) struct machine_word word = { 0 };
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status = machine_word_read(forget->cli, text, &word);

	if (status != STATUS_OK)
		return status;
	if (word.type != MACHINE_HOST)
		return usage_error("'%s' is not a host of the database", text);
	if (word.snapshot && pmuq_store_find_snapshot(forget->store, word.name, word.snapshot,
						      &forget->snapshots[forget->n], &error) < 0)
		return report_error(error, NULL);
	forget->names[forget->n++] = move(word.name);
	return STATUS_OK;
}

/* ------------------------------------------------------------------------------------- output */

/* With --dry-run the same numbers describe what would be removed. */
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
	/* A server does not count them. */
	if (forgotten->free_bytes)
		printf(": %zu KiB of the database %s free", forgotten->free_bytes / 1024,
		       report->is_trial ? "would be" : "are");
	printf("\n");
}

static enum status forget_words(struct forget *forget, const struct options *options)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct forget_report report = { .is_trial = forget->options.is_trial,
					.forgotten = { .size = sizeof(report.forgotten) } };
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < options->n_operands; i++)
		status = take_word(forget, options->operands[i]);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_forget(forget->store, (const char *const *)forget->names, forget->snapshots,
			      forget->n, &forget->options, &report.forgotten, &error) < 0)
		return report_error(error, NULL);
	if (options->output.form != DOCUMENT_NONE)
		return document_print(options->output.form, &forget_document, &report);
	print_text(&report);
	return STATUS_OK;
}

/* `names` and `snapshots` have capacity for all operands; freed here. */
static enum status open_and_forget(struct forget *forget, const struct options *options)
{
	enum status status = database_open(forget->cli, PMUQ_STORE_WRITE, &forget->store);

	if (status != STATUS_OK)
		return status;
	forget->names = or_die(calloc(options->n_operands + 1, sizeof(*forget->names)));
	forget->snapshots = or_die(calloc(options->n_operands + 1, sizeof(*forget->snapshots)));
	status = forget_words(forget, options);
	for (size_t i = 0; i < forget->n; i++)
		free(forget->names[i]);
	free(forget->names);
	free(forget->snapshots);
	pmuq_store_free(forget->store);
	return status;
}

static enum status run_forget(const struct options *options)
{
	const char *before = option_value(options, OPTION_BEFORE);
	struct forget forget = {
		.cli = &options->cli,
		.options = {
			.size = sizeof(forget.options),
			.keep = (size_t)option_number(options, OPTION_KEEP, 0),
			.is_trial = option_is_set(options, OPTION_DRY_RUN),
		},
	};
	enum status status = before ? take_before(before, &forget.options.before_s) : STATUS_OK;

	if (status != STATUS_OK)
		return status;
	if (!options->n_operands && !before && !forget.options.keep)
		return usage_error("forget needs a host, --before or --keep");
	return open_and_forget(&forget, options);
}

const struct command cmd_forget = {
	.name = "forget",
	.arguments = "[HOST[@SNAPSHOT]...]",
	.no_host = "name the hosts as arguments",
	.no_sysroot = "name the hosts as arguments",
	.summary = "remove hosts or snapshots from the database",
	.text = "Everything that is named is removed, or nothing. Without a HOST, --before and\n"
		"--keep select snapshots of every host. Data that other snapshots share stays.\n"
		"The file does not shrink; the database reuses the free part. A SNAPSHOT is a\n"
		"number, a date (UTC) or a kernel, as printed by `pmuq hosts --history`.\n\n"
		"Examples:\n"
		"  pmuq forget web1 db1@12\n"
		"  pmuq forget --keep 5\n"
		"  pmuq forget --before 180d --dry-run\n",
	.options = OPTION_LIST(OPTION_BEFORE, OPTION_KEEP, OPTION_DRY_RUN, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&forget_document),
	.run = run_forget,
};
