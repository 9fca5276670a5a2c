/* SPDX-License-Identifier: MIT */
/*
 * `pmuq encode --all-hosts` as a document. Results are those of `pmuq encode` without the results
 * of opening: hosts of one class may differ in these.
 */
#include "cli/events/event_records.h"
#include "cli/hosts/audit.h"
#include "cli/hosts/host_names.h"
#include "cli/hosts/host_rows.h"
#include "cli/or_die.h"
#include <string.h>

static const struct field result_fields[] = { RESULT_FIELDS(&encoded_record) };
static const struct record_type result_record = { .name = "result",
						  RESULT_VARIANTS,
						  FIELDS(result_fields) };

char *audit_json_of(const struct result *result)
{
	struct pq_buf buf = PQ_BUF_NULL, scratch = PQ_BUF_NULL;
	struct pq_sink *sink = or_die(pq_sink_json(&buf, 0));

	record_write(sink, &result_record, result, &scratch);
	pq_sink_free(sink);
	pq_buf_free(&scratch);
	return or_die(pq_buf_take(&buf));
}

/* ------------------------------------------------------------------------------------- classes */

struct printed_class {
	const struct audit *audit;
	size_t index;
	const struct pmuq_host_class *host_class;
	const struct pmuq_snapshot *snapshot; /* one of its hosts that has the newest snapshot */
	const struct audit_totals *totals;
	bool is_good;
	const struct audit_totals *opens; /* the same; NULL: nothing was opened */
};

#define AUDIT ((const struct audit *)of)
#define CLASS ((const struct printed_class *)of)

/* The names are gathered for the first value; cursor: their number. */
static bool next_name(const struct audit *audit, struct cell *cell)
{
	return cell->index < cell->cursor && cell_set_text(cell, audit->names[cell->index]);
}

static bool next_host(const struct audit *audit, size_t host_class, size_t check, struct cell *cell)
{
	if (cell->index == 0)
		cell->cursor = audit_gather_class(audit, host_class, check);
	return next_name(audit, cell);
}

/* The kernels that run on hosts of the class, each once. */
static size_t gather_kernels(const void *of)
{
	const struct pmuq_hosts *hosts = CLASS->audit->list.hosts;
	const struct pmuq_host_class *host_class = CLASS->host_class;
	const char **names = CLASS->audit->names;
	size_t n = 0, n_all = 0;

	for (size_t i = 0; i < host_class->n_hosts; i++) {
		const char *kernel = pmuq_snapshot_find_fact(
			pmuq_hosts_snapshot(hosts, host_class->hosts[i], 0), "kernel");

		if (kernel)
			names[n_all++] = kernel;
	}
	names_sort(names, n_all);
	for (size_t i = 0; i < n_all; i++)
		if (n == 0 || strcmp(names[n - 1], names[i]) != 0)
			names[n++] = names[i];
	return n;
}

static bool get_kernel(const void *of, struct cell *cell)
{
	if (cell->index == 0)
		cell->cursor = gather_kernels(of);
	return next_name(CLASS->audit, cell);
}

static bool get_host(const void *of, struct cell *cell)
{
	return next_host(CLASS->audit, CLASS->index, HOSTS_ANY_CHECK, cell);
}

static bool get_unchecked_host(const void *of, struct cell *cell)
{
	return CLASS->opens && next_host(CLASS->audit, CLASS->index, PMUQ_NOT_KNOWN, cell);
}

#define OF_CLASS(pointer, pointed, name) MEMBER_OF(struct printed_class, pointer, pointed, name)

// clang-format off
static const struct field class_fields[] = {
	{ .name = STR("class"),      .type = FIELD_TEXT,  OF_CLASS(host_class, struct pmuq_host_class, name), .pattern = PATTERN_CLASS,
	  .help = "host class: its hosts give the same result for every event string" },
	{ .name = STR("ok"),         .type = FIELD_BOOL,  MEMBER(struct printed_class, is_good), .help = "all strings are valid, none was refused, and with --checked all its hosts were checked" },
	{ .name = STR("valid"),      .type = FIELD_COUNT, OF_CLASS(totals, struct audit_totals, n_valid), .help = "number of valid strings" },
	{ .name = STR("invalid"),    .type = FIELD_COUNT, OF_CLASS(totals, struct audit_totals, n_invalid), .help = "number of invalid strings" },
	{ .name = STR("opened"),     .type = FIELD_COUNT, .flags = FIELD_OPTIONAL, OF_CLASS(opens, struct audit_totals, n_opened),
	  .help = "valid strings that opened on all its hosts when these were checked" },
	{ .name = STR("refused"),    .type = FIELD_COUNT, .flags = FIELD_OPTIONAL, OF_CLASS(opens, struct audit_totals, n_refused), .help = "refused on at least one of its hosts" },
	{ .name = STR("unknown"),    .type = FIELD_COUNT, .flags = FIELD_OPTIONAL, OF_CLASS(opens, struct audit_totals, n_unknown), .help = "not tried on at least one of its hosts" },
	{ .name = STR("unchecked"),  .type = FIELD_TEXT,  .flags = FIELD_LIST | FIELD_OPTIONAL, .get = get_unchecked_host, .help = "those of its hosts that were never checked by `scan --check`" },
	{ .name = STR("arch"),       .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, HOST_FACT(struct printed_class, snapshot, "arch") },
	{ .name = STR("cpuid"),      .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, HOST_FACT(struct printed_class, snapshot, "cpuid") },
	{ .name = STR("incomplete"), .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, HOST_FACT(struct printed_class, snapshot, "incomplete"), .help = "source of an incomplete machine" },
	{ .name = STR("kernels"),    .type = FIELD_TEXT,  .flags = FIELD_LIST, .get = get_kernel, .help = "kernels of its hosts" },
	{ .name = STR("hosts"),      .type = FIELD_TEXT,  .flags = FIELD_LIST, .get = get_host },
};
static const struct record_type class_record = { .name = "class", FIELDS(class_fields) };
// clang-format on

static bool get_class(const void *of, struct cell *cell)
{
	struct printed_class *printed = (struct printed_class *)cell->memory.bytes;
	const struct audit *audit = AUDIT;
	const struct pmuq_hosts *hosts = audit->list.hosts;
	const struct pmuq_host_class *host_class = pmuq_hosts_class(hosts, cell->index);

	if (!host_class)
		return false;
	*printed = (struct printed_class){
		.audit = audit,
		.index = cell->index,
		.host_class = host_class,
		.snapshot = pmuq_hosts_snapshot(hosts, host_class->hosts[0], 0),
		.totals = &audit->totals[cell->index],
		.is_good = audit_is_good(audit, cell->index),
		.opens = audit->wants_opens ? &audit->totals[cell->index] : NULL,
	};
	cell->record = printed;
	return true;
}

// clang-format off
static const struct field head_fields[] = {
	{ .name = STR("classes"), .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_class, .record = &class_record },
};
static const struct record_type head_record = { .name = "head", FIELDS(head_fields) };
// clang-format on

/* --------------------------------------------------------------------------------------- opens */

struct printed_opens {
	const struct audit *audit;
	const struct audit_opens *opens;
	const struct pmuq_host_class *host_class;
};

#define OPENS ((const struct printed_opens *)of)

static const char *const opens_words[] = {
	[OPENS_UNCHECKED] = "unchecked",
	[OPENS_UNKNOWN] = "unknown",
	[OPENS_YES] = "opened",
	[OPENS_NO] = "refused",
	NULL,
};

static size_t opens_variant(const void *of)
{
	return OPENS->opens->opens;
}

static bool get_opens_host(const void *of, struct cell *cell)
{
	const struct audit_opens *opens = OPENS->opens;

	return next_host(OPENS->audit, opens->host_class, opens->check, cell);
}

#define OF_OPENS(name) MEMBER_OF(struct printed_opens, opens, struct audit_opens, name)
#define IN_REFUSED IN_VARIANT(OPENS_NO)

// clang-format off
static const struct field opens_fields[] = {
	{ .name = STR("class"),  .type = FIELD_TEXT,   MEMBER_OF(struct printed_opens, host_class, struct pmuq_host_class, name) },
	{ .name = STR("status"), .type = FIELD_TEXT },
	{ .name = STR("errno"),  .type = FIELD_NUMBER, .in = IN_REFUSED, OF_OPENS(errnum) },
	{ .name = STR("reason"), .type = FIELD_TEXT,   .flags = FIELD_OPTIONAL, .in = IN_REFUSED, OF_OPENS(reason) },
	{ .name = STR("hint"),   .type = FIELD_TEXT,   .flags = FIELD_OPTIONAL, .in = IN_REFUSED, OF_OPENS(hint) },
	{ .name = STR("hosts"),  .type = FIELD_TEXT,   .flags = FIELD_LIST, .get = get_opens_host, .help = "hosts of the class with that result" },
};
// clang-format on

static const struct record_type opens_record = {
	.name = "opens",
	.help = "The result of the last `scan --check` of some hosts",
	.tag = STR("status"),
	.variants = opens_words,
	.variant = opens_variant,
	FIELDS(opens_fields),
};

/* ------------------------------------------------------------------------------------- strings */

struct printed_string {
	const struct audit *audit;
	const struct audit_string *string;
};

struct printed_outcome {
	struct printed_string string;
	const struct audit_outcome *outcome;
	size_t index;
};

#define STRING ((const struct printed_string *)of)
#define OUTCOME ((const struct printed_outcome *)of)

static bool get_outcome_class(const void *of, struct cell *cell)
{
	if (cell->index >= OUTCOME->outcome->n)
		return false;
	cell->text = pmuq_hosts_class(OUTCOME->string.audit->list.hosts,
				      OUTCOME->outcome->v[cell->index].index)
			     ->name;
	return true;
}

/* Those opens of the string that belong to the outcome. */
static bool get_opens_of_outcome(const void *of, struct cell *cell)
{
	struct printed_opens *printed = (struct printed_opens *)cell->memory.bytes;
	const struct audit_string *string = OUTCOME->string.string;
	const struct pmuq_hosts *hosts = OUTCOME->string.audit->list.hosts;
	size_t i = cell->cursor;

	while (i < string->opens.n && string->opens.v[i].outcome != OUTCOME->index)
		i++;
	if (i == string->opens.n)
		return false;
	*printed = (struct printed_opens){
		.audit = OUTCOME->string.audit,
		.opens = &string->opens.v[i],
		.host_class = pmuq_hosts_class(hosts, string->opens.v[i].host_class),
	};
	cell->record = printed;
	cell->cursor = i + 1;
	return true;
}

// clang-format off
static const struct field outcome_fields[] = {
	{ .name = STR("classes"), .type = FIELD_TEXT,   .flags = FIELD_LIST, .get = get_outcome_class, .help = "host classes that have it" },
	{ .name = STR("result"),  .type = FIELD_JSON,   MEMBER_OF(struct printed_outcome, outcome, struct audit_outcome, text), .record = &result_record },
	{ .name = STR("opens"),   .type = FIELD_RECORD, .flags = FIELD_LIST | FIELD_OPTIONAL, .get = get_opens_of_outcome,
	  .record = &opens_record },
};
static const struct record_type outcome_record = { .name = "outcome", FIELDS(outcome_fields) };
// clang-format on

static bool get_at(const void *of, struct cell *cell)
{
	const struct audit_string *string = STRING->string;

	return string->file && cell_print(cell, "%s:%zu", string->file, string->line);
}

static bool get_outcome(const void *of, struct cell *cell)
{
	struct printed_outcome *outcome = (struct printed_outcome *)cell->memory.bytes;

	if (cell->index >= STRING->string->outcomes.n)
		return false;
	*outcome = (struct printed_outcome){
		.string = *STRING,
		.outcome = &STRING->string->outcomes.v[cell->index],
		.index = cell->index,
	};
	cell->record = outcome;
	return true;
}

// clang-format off
static const struct field string_fields[] = {
	{ .name = STR("input"),    .type = FIELD_TEXT,   MEMBER_OF(struct printed_string, string, struct audit_string, input),
	  .help = "the event string" },
	{ .name = STR("at"),       .type = FIELD_TEXT,   .flags = FIELD_OPTIONAL, .get = get_at, .help = "FILE:LINE of the input, with -f" },
	{ .name = STR("outcomes"), .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_outcome, .record = &outcome_record },
};
static const struct record_type string_record = { .name = "input", FIELDS(string_fields) };
// clang-format on

const struct document_type audit_document = {
	.name = "audit",
	.title = "pmuq encode --all-hosts",
	.head = &head_record,
	.rows = "inputs",
	.row = &string_record,
};

enum status audit_print_document(const struct audit *audit)
{
	struct document document;

	document_begin(&document, audit->form, &audit_document, audit);
	for (size_t i = 0; i < audit->strings.n; i++) {
		const struct printed_string row = { .audit = audit,
						    .string = &audit->strings.v[i] };

		document_row(&document, &row);
	}
	return document_end(&document, NULL);
}
