/* SPDX-License-Identifier: MIT */
#include "cli/capture_report.h"
#include "cli/cmd.h"
#include "cli/output/error_record.h"
#include "cli/report.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* More of what could not be read fills the screen; JSON has all. */
#define UNREAD_SHOWN 8

struct counts {
	size_t pmus, events, tracepoints, files, bytes;
};

static struct counts count(const struct pmuq_capture *capture)
{
	const struct pmuq_catalog *catalog = pmuq_capture_content(capture)->catalog;
	struct counts counts = { .pmus = pmuq_catalog_machine(catalog)->n_pmus,
				 .tracepoints = pmuq_capture_content(capture)->n_tracepoints,
				 .files = pmuq_capture_content(capture)->n_files };

	for (size_t i = 0; i < counts.pmus; i++)
		counts.events += pmuq_catalog_pmu(catalog, i)->definition->n_events;
	for (size_t i = 0; i < counts.files; i++)
		counts.bytes += pmuq_capture_file(capture, i)->n_bytes;
	return counts;
}

/* A line of a list whose first line has the label. */
static void print_item(const char *label, size_t index, const char *path, const char *text)
{
	printf("%-9s  ", index ? "" : label);
	print_safe(stdout, path);
	printf(": ");
	print_safe(stdout, text);
	putchar('\n');
}

static void print_redactions(const struct pmuq_capture *capture)
{
	for (size_t i = 0; i < pmuq_capture_content(capture)->n_redactions; i++)
		print_item("redacted", i, pmuq_capture_content(capture)->redactions[i].name.p,
			   pmuq_capture_content(capture)->redactions[i].text.p);
}

static void print_unread(const struct pmuq_capture *capture)
{
	size_t n = pmuq_capture_content(capture)->n_unread;
	bool is_forbidden = false;

	for (size_t i = 0; i < n; i++) {
		int errnum = pmuq_capture_unread(capture, i)->errnum;

		is_forbidden |= errnum == EACCES || errnum == EPERM;
		if (i < UNREAD_SHOWN)
			print_item("not read", i, pmuq_capture_unread(capture, i)->path.p,
				   pmuq_capture_unread(capture, i)->message.p);
	}
	if (n > UNREAD_SHOWN)
		printf("%-9s  and %zu more (-J lists all)\n", "", n - UNREAD_SHOWN);
	if (is_forbidden && geteuid() != 0)
		printf("%-9s  root can read files for which permission is denied\n", "");
}

static void print_files(const struct pmuq_capture *capture)
{
	for (size_t i = 0; i < pmuq_capture_content(capture)->n_files; i++) {
		printf("%9zu  ", pmuq_capture_file(capture, i)->n_bytes);
		print_safe(stdout, pmuq_capture_file(capture, i)->path.p);
		putchar('\n');
	}
}

void capture_print_text(const struct capture_report *report)
{
	struct counts counts = count(report->capture);

	printf("%s", report->path ? "captured to " : "would capture");
	if (report->path)
		print_safe(stdout, report->path);
	print_plural(": ", counts.pmus, "PMU");
	print_plural(", ", counts.events, "event");
	print_plural(", ", counts.tracepoints, "tracepoint");
	print_plural("; ", counts.files, "file");
	print_plural(" of ", counts.bytes, "byte");
	putchar('\n');
	print_redactions(report->capture);
	print_unread(report->capture);
	if (!report->path) {
		print_files(report->capture);
		return;
	}
	printf("%-9s  pmuq --sysroot ", "to use it");
	print_safe(stdout, report->path);
	printf(" list\n");
}

/* ------------------------------------------------------------------------------- as a document */

#define REPORT ((const struct capture_report *)of)
#define CONTENT pmuq_capture_content(REPORT->capture)

static bool get_pmus(const void *of, struct cell *cell)
{
	cell->count = count(REPORT->capture).pmus;
	return true;
}

static bool get_events(const void *of, struct cell *cell)
{
	cell->count = count(REPORT->capture).events;
	return true;
}

static bool get_tracepoints(const void *of, struct cell *cell)
{
	cell->count = count(REPORT->capture).tracepoints;
	return true;
}

static bool get_bytes(const void *of, struct cell *cell)
{
	cell->count = count(REPORT->capture).bytes;
	return true;
}

static bool get_redaction(const void *of, struct cell *cell)
{
	if (cell->index >= CONTENT->n_redactions)
		return false;
	cell->record = &CONTENT->redactions[cell->index];
	return true;
}

static bool get_unread(const void *of, struct cell *cell)
{
	cell->record = pmuq_capture_unread(REPORT->capture, cell->index);
	return cell->record;
}

// clang-format off
static const struct field redaction_fields[] = {
	{ .name = STR("path"), .type = FIELD_TEXT, MEMBER(struct pmuq_pair, name), .help = "in the tree" },
	{ .name = STR("how"),  .type = FIELD_TEXT, MEMBER(struct pmuq_pair, text), .help = "what was left out or replaced" },
};
static const struct record_type redaction_record = { .name = "redaction", FIELDS(redaction_fields) };

static const struct field file_fields[] = {
	{ .name = STR("path"),  .type = FIELD_TEXT,  MEMBER(struct pmuq_captured_file, path), .help = "in the tree" },
	{ .name = STR("bytes"), .type = FIELD_COUNT, MEMBER(struct pmuq_captured_file, n_bytes), .help = "its size" },
};
static const struct record_type file_record = { .name = "file", FIELDS(file_fields) };

static const struct field head_fields[] = {
	{ .name = STR("written"),     .type = FIELD_TEXT,  .flags = FIELD_NULLABLE, MEMBER(struct capture_report, path),
	  .help = "directory or tar that was written; null with --dry-run" },
	{ .name = STR("pmus"),        .type = FIELD_COUNT, .get = get_pmus, .help = "number of PMUs" },
	{ .name = STR("events"),      .type = FIELD_COUNT, .get = get_events, .help = "number of their events" },
	{ .name = STR("tracepoints"), .type = FIELD_COUNT, .get = get_tracepoints, .help = "number of tracepoints" },
	{ .name = STR("bytes"),       .type = FIELD_COUNT, .get = get_bytes, .help = "size of all files" },
	{ .name = STR("redacted"),    .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_redaction, .record = &redaction_record,
	  .help = "files that were left out or changed" },
	{ .name = STR("unread"),      .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_unread, .record = &problem_record,
	  .help = "files that could not be read" },
};
static const struct record_type head_record = { .name = "head", FIELDS(head_fields) };
// clang-format on

static const struct document_type capture_document = {
	.name = "capture",
	.title = "pmuq capture",
	.head = &head_record,
	.rows = "files",
	.row = &file_record,
};

const struct document_type *const capture_documents[] = { &capture_document, NULL };

enum status capture_print_document(const struct capture_report *report, enum document_form form)
{
	struct document document;
	enum status status = document_begin(&document, form, &capture_document, report);
	size_t n = pmuq_capture_content(report->capture)->n_files;

	for (size_t i = 0; status == STATUS_OK && i < n; i++)
		document_row(&document, pmuq_capture_file(report->capture, i));
	return status_worse(status, document_end(&document, NULL));
}
