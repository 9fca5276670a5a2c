/* SPDX-License-Identifier: MIT */
/* What `pmuq encode` prints of an encoding besides what it is: whether the kernel opens it. */
#include "cli/events/event_records.h"
#include "cli/hosts/audit.h"
#include "cli/output/label.h"
#include <string.h>

// clang-format off
static const struct field encoding_fields[] = {
	{ .name = STR("open"), .type = FIELD_RECORD, .get = get_open, .record = &open_record },
};
static const struct record_type encoding_record = { .name = "encoding", .base = &encoded_record, FIELDS(encoding_fields) };
// clang-format on

static const struct field result_fields[] = { RESULT_FIELDS(&encoding_record) };
static const struct record_type result_record = { .name = "input",
						  RESULT_VARIANTS,
						  FIELDS(result_fields) };

static const struct document_type encode_document = {
	.name = "encode",
	.title = "pmuq encode",
	.rows = "inputs",
	.row = &result_record,
};

const struct document_type *const encode_documents[] = { &encode_document, &audit_document, NULL };

static void print_refusal(FILE *to, const struct pmuq_open_result *open)
{
	fprintf(to, "%srefuses%s: %s (%d), ", style_code(to, STYLE_ERROR),
		style_code(to, STYLE_NONE), pmuq_errno_name(open->errnum), open->errnum);
	print_safe(to, open->reason.p);
	putc('\n', to);
	if (open->change.p)
		fprintf(to, "%*sopens %s%s\n", LABEL_COLUMNS, "",
			/* Modifiers to add are written as they are. */
			*open->change.p == ':' ? "with " : "", open->change.p);
	if (!open->hint.p)
		return;
	fprintf(to, "%*shint: ", LABEL_COLUMNS, "");
	print_safe(to, open->hint.p);
	putc('\n', to);
}

static void print_target(FILE *to, int pid, const char *cpus)
{
	if (pid == 0)
		fprintf(to, "for a task");
	else if (pid > 0)
		fprintf(to, "for process %d", pid);
	if (strcmp(cpus, "-1") != 0)
		fprintf(to, "%son cpus %s", pid >= 0 ? " " : "", cpus);
	putc('\n', to);
}

static void print_open(FILE *to, const struct result *result, const struct fold *fold)
{
	const struct pmuq_open_result *open;

	if (!result->opens)
		return;
	open = pmuq_open_results_get(result->opens, fold->first);
	label_begin(to, "kernel");
	switch (open->status) {
	case PMUQ_OPENED:
		fprintf(to, "%sopens%s it ", style_code(to, STYLE_GOOD),
			style_code(to, STYLE_NONE));
		print_target(to, open->pid, open->cpus.p);
		break;
	case PMUQ_REFUSED:
		print_refusal(to, open);
		break;
	case PMUQ_SKIPPED:
		fprintf(to, "not opened: ");
		print_safe(to, open->reason.p);
		putc('\n', to);
		break;
	}
}

const struct result_type encode_type = {
	.document = &encode_document,
	.print_more = print_open,
};
