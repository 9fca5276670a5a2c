/* SPDX-License-Identifier: MIT */
/* What `pmuq encode` prints about opening an encoding: whether the kernel opens it. */
#include "cli/events/event_records.h"
#include "cli/metrics/metric_results.h"
#include "cli/output/label.h"
#include <string.h>

/* Not the reason why nothing was opened, which is the same for all. */
static bool get_open_result(const void *of, struct cell *cell)
{
	return ((const struct shown_encoding *)of)->open && get_open(of, cell);
}

// clang-format off
static const struct field encoding_fields[] = {
	{ .name = STR("open"), .type = FIELD_RECORD, .get = get_open, .record = &open_record },
};
static const struct record_type encoding_record = { .name = "encoding", .base = &encoded_record, FIELDS(encoding_fields) };

static const struct field compact_fields[] = {
	{ .name = STR("open"), .type = FIELD_RECORD, .flags = FIELD_OPTIONAL, .get = get_open_result, .record = &open_record },
};
static const struct record_type compact_record = { .name = "encoding", .base = &compact_encoded_record, FIELDS(compact_fields) };

static const struct field compact_result_fields[] = { RESULT_FIELDS(&compact_record) };
static const struct record_type compact_result_record = { .name = "input", RESULT_VARIANTS, FIELDS(compact_result_fields) };

static const struct field result_fields[] = { RESULT_FIELDS(&encoding_record) };
static const struct record_type result_record = { .name = "input", RESULT_VARIANTS, FIELDS(result_fields) };
// clang-format on

// clang-format off
static const struct field tail_fields[] = {
	{ .name = STR("metrics"), .type = FIELD_RECORD, .flags = FIELD_LIST | FIELD_OPTIONAL, .get = get_metric, .record = &metric_record,
	  .help = "the metrics of --metric" },
};
static const struct record_type tail_record = { .name = "tail", FIELDS(tail_fields) };
// clang-format on

const struct document_type encode_document = {
	.name = "encode",
	.title = "pmuq encode",
	.rows = "inputs",
	.row = &result_record,
	.tail = &tail_record,
};

const struct document_type encode_compact_document = {
	.name = "encode-compact",
	.title = "pmuq encode --compact",
	.rows = "inputs",
	.row = &compact_result_record,
	.tail = &tail_record,
};

/* The reason, the smallest change that opens, and what the user may do. */
static void print_refusal(const struct pmuq_open_result *open)
{
	printf("%srefuses%s", style_code(stdout, STYLE_ERROR), style_code(stdout, STYLE_NONE));
	print_safe_line(stdout, ": %s (%d), %s", pmuq_errno_name(open->errnum), open->errnum,
			open->reason.p);
	/* Modifiers to add are printed unchanged. */
	if (open->change.n)
		label_print("", "opens %s%s", *open->change.p == ':' ? "with " : "",
			    open->change.p);
	if (open->hint.n)
		label_print("", "hint: %s", open->hint.p);
}

/* The target that it was opened for: a task, CPUs, or both. */
static void print_target(int pid, const char *cpus)
{
	if (pid == 0)
		printf("for a task");
	else if (pid > 0)
		printf("for process %d", pid);
	if (strcmp(cpus, "-1") != 0)
		printf("%son cpus %s", pid >= 0 ? " " : "", cpus);
	putchar('\n');
}

void encode_print_open(const struct pmuq_open_result *open)
{
	label_begin("kernel");
	switch (open->status) {
	case PMUQ_OPENED:
		printf("%sopens%s it ", style_code(stdout, STYLE_GOOD),
		       style_code(stdout, STYLE_NONE));
		print_target(open->pid, open->cpus.p);
		break;
	case PMUQ_REFUSED:
		print_refusal(open);
		break;
	case PMUQ_SKIPPED:
		print_safe_line(stdout, "not opened: %s", open->reason.p);
		break;
	}
}

static void print_more(const struct result *result, const struct fold *fold)
{
	if (result->opens)
		encode_print_open(pmuq_open_results_get(result->opens, fold->first));
}

const struct result_type encode_type = {
	.document = &encode_document,
	.compact = &encode_compact_document,
	.print_more = print_more,
};
