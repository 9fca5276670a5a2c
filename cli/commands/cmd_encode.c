/* SPDX-License-Identifier: MIT */
/*
 * `pmuq encode`: turns event strings into attrs, each when it is read, and opens them if the
 * machine is this one. Never reads the whole machine. The forms of results: encode_forms.c.
 */
#include "cli/events/event_strings.h"
#include "cli/hosts/audit.h"

struct encode {
	struct strings strings;
	struct audit audit;  /* hosts of --all-hosts */
	const char *skipped; /* why nothing is opened; NULL: events are opened */
};

static struct encode *encode_of(struct strings *strings)
{
	return (struct encode *)strings;
}

static enum status open_status(const struct pmuq_open_results *opens)
{
	for (size_t i = 0; i < pmuq_open_results_count(opens); i++)
		if (pmuq_open_results_get(opens, i)->status == PMUQ_REFUSED)
			return STATUS_REFUSED;
	return STATUS_OK;
}

static void print_opened(struct strings *strings, struct result *result)
{
	cleanup(pmuq_open_results_freep) struct pmuq_open_results *opens = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (pmuq_encodings_test_open(result->encodings, NULL, &opens, &error) < 0)
		strings_refuse(strings, result, error);
	else
		strings->status = status_worse(strings->status, open_status(opens));
	result->opens = opens;
	encode_print(&strings->output, result);
}

static void print_one(struct strings *strings, struct result *result)
{
	struct encode *encode = encode_of(strings);

	result->skipped = encode->skipped;
	if (strings->gather)
		encode_report_error(result); /* a line that cannot be a string */
	else if (result->encodings && !encode->skipped)
		print_opened(strings, result);
	else
		encode_print(&strings->output, result);
}

static void gather(struct strings *strings, const char *text, const char *file, size_t line)
{
	audit_add(&encode_of(strings)->audit, text, file, line);
}

static void gather_metrics(struct strings *strings, const char *names,
			   const struct pmuq_metric_options *options)
{
	struct audit *audit = &encode_of(strings)->audit;

	audit->metric_options = *options;
	audit_add_metrics(audit, names);
}

/* Called before any string is read, so that a wrong command line fails at once. */
static enum status begin_audit(struct encode *encode)
{
	struct audit *audit = &encode->audit;

	if (!encode_is_text(encode->strings.line))
		return usage_error("--all-hosts prints text or a document, not C or bytes");
	if (cli_machine_option(audit->cli))
		return usage_error("--all-hosts and --%s exclude each other",
				   cli_machine_option(audit->cli));
	if (option_is_set(encode->strings.line, OPTION_COMPACT))
		return usage_error("--all-hosts and --compact exclude each other");
	if (audit->needs_check && !audit->wants_opens)
		return usage_error("--checked and --no-open exclude each other");
	audit->options = encode->strings.options;
	return STATUS_OK;
}

/* Events are opened on the running kernel only; an attr of another machine would name another PMU
 * here. */
static enum status begin(struct strings *strings)
{
	struct encode *encode = encode_of(strings);

	if (strings->gather)
		return begin_audit(encode);
	if (encode->audit.needs_check)
		return usage_error("--checked needs --all-hosts");
	if (!encode->skipped && !pmuq_source_is_live(strings->source))
		encode->skipped = "the source is not this machine";
	strings->encodes_ahead = encode->skipped;
	return encode_begin(&strings->output, strings->line);
}

static enum status end(struct strings *strings)
{
	/* If the list could not be read completely, no host is reported as valid. */
	if (strings->gather)
		return strings->status == STATUS_FAILED ? strings->status
							: audit_run(&encode_of(strings)->audit);
	if (strings->planned.plan)
		strings->output.tail = &strings->metrics;
	return encode_end(&strings->output);
}

/* The audit is prepared even without --all-hosts, so that clearing it is always allowed. */
static enum status run_encode(const struct options *options)
{
	bool is_skipped = option_is_set(options, OPTION_NO_OPEN);
	struct encode encode = {
		.strings = {
			.begin = begin,
			.end = end,
			.print = print_one,
			.gather = option_is_set(options, OPTION_ALL_HOSTS) ? gather : NULL,
			.gather_metrics = gather_metrics,
			.output = { .type = &encode_type },
		},
		.audit = {
			.cli = &options->cli,
			.glob = option_value(options, OPTION_ALL_HOSTS),
			.form = options->output.form,
			.vendor = option_value(options, OPTION_VENDOR),
			.wants_opens = !is_skipped,
			.needs_check = option_is_set(options, OPTION_CHECKED),
			.is_quiet = option_is_set(options, OPTION_FILE),
		},
		.skipped = is_skipped ? "--no-open is set" : NULL,
	};
	enum status status = strings_run(&encode.strings, options);

	audit_clear(&encode.audit);
	return status;
}

const struct command cmd_encode = {
	.name = "encode",
	.arguments = "EVENT...",
	.summary = "turn event strings into perf_event_attrs",
	.text = STRINGS_TEXT
	"With several strings the highest exit status is used: 1 invalid, 3 refused by\n"
	"the kernel, 4 unreadable input.\n\n"
	"Examples:\n"
	"  pmuq encode cycles:u\n"
	"  pmuq encode --json --no-open 'cpu/event=0x3c,umask=0x1/u'\n"
	"  pmuq --sysroot TREE encode --jsonl -f events.txt\n"
	"  pmuq encode --metric TopdownL1,tma_info_thread_ipc\n"
	"  pmuq encode --all-hosts -f events.txt  # audit a list of events\n",
	.options = OPTION_LIST(OPTIONS_DOCUMENT, OPTION_COMPACT, OPTION_C, OPTION_HEX, OPTION_BYTES,
			       OPTION_NO_OPEN, OPTION_ALL_HOSTS, OPTION_CHECKED, OPTIONS_EVENTS),
	.documents = DOCUMENT_LIST(&encode_document, &encode_compact_document, &audit_document),
	.run = run_encode,
};
