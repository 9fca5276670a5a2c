/* SPDX-License-Identifier: MIT */
/*
 * `pmuq capture`: writes the files of a machine that pmuq reads, as a directory or a tar for
 * --sysroot. Prints what it copied, what it left out, and what it could not read. discover/capture/
 * decides which files these are, and what identifies a machine.
 */
#include "cli/clock.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/output/error_record.h"
#include "cli/report.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* More lines about unreadable files would fill the screen; JSON contains all. */
#define UNREAD_SHOWN 8

/* What was captured. */
struct capture_report {
	const struct pmuq_capture *capture;
	const struct pmuq_captured *content; /* of the capture */
	const char *path;		     /* path that was written; NULL with --dry-run */
	size_t pmus, events, tracepoints, files, bytes;
};

static void count(struct capture_report *report)
{
	const struct pmuq_captured *content = report->content;

	report->pmus = pmuq_catalog_machine(content->catalog)->n_pmus;
	report->tracepoints = content->n_tracepoints;
	report->files = content->n_files;
	for (size_t i = 0; i < report->pmus; i++)
		report->events += pmuq_catalog_pmu(content->catalog, i)->definition->n_events;
	for (size_t i = 0; i < report->files; i++)
		report->bytes += pmuq_capture_file(report->capture, i)->n_bytes;
}

static void print_redactions(const struct pmuq_captured *content)
{
	for (size_t i = 0; i < content->n_redactions; i++)
		print_safe_line(stdout, "%-9s  %s: %s", i ? "" : "redacted",
				content->redactions[i].name.p, content->redactions[i].text.p);
}

/* Most files that cannot be read are ids of tracepoints, which only root may read: a note at the
 * end explains that. */
static void print_unread(const struct pmuq_capture *capture)
{
	const struct pmuq_problem *unread;
	bool is_forbidden = false;
	size_t n = 0;

	for (; (unread = pmuq_capture_unread(capture, n)); n++) {
		is_forbidden |= unread->errnum == EACCES || unread->errnum == EPERM;
		if (n < UNREAD_SHOWN)
			print_safe_line(stdout, "%-9s  %s: %s", n ? "" : "not read", unread->path.p,
					unread->message.p);
	}
	if (n > UNREAD_SHOWN)
		printf("%-9s  and %zu more (-J lists all)\n", "", n - UNREAD_SHOWN);
	if (is_forbidden && geteuid() != 0)
		printf("%-9s  root can read files for which permission is denied\n", "");
}

/* The list of --dry-run: people decide by it whether to pass the capture on. */
static void print_files(const struct pmuq_capture *capture)
{
	const struct pmuq_captured_file *file;

	for (size_t i = 0; (file = pmuq_capture_file(capture, i)); i++)
		print_safe_line(stdout, "%9zu  %s", file->n_bytes, file->path.p);
}

static void print_text(const struct capture_report *report)
{
	printf("%s", report->path ? "captured to " : "would capture");
	if (report->path)
		print_safe(stdout, report->path);
	print_plural(": ", report->pmus, "PMU");
	print_plural(", ", report->events, "event");
	print_plural(", ", report->tracepoints, "tracepoint");
	print_plural("; ", report->files, "file");
	print_plural(" of ", report->bytes, "byte");
	putchar('\n');
	print_redactions(report->content);
	print_unread(report->capture);
	if (!report->path) {
		print_files(report->capture);
		return;
	}
	print_safe_line(stdout, "%-9s  pmuq --sysroot %s list", "to use it", report->path);
}

/* ------------------------------------------------------------------------------- as a document */

#define REPORT ((const struct capture_report *)of)

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
	{ .name = STR("pmus"),        .type = FIELD_COUNT, MEMBER(struct capture_report, pmus), .help = "number of PMUs" },
	{ .name = STR("events"),      .type = FIELD_COUNT, MEMBER(struct capture_report, events), .help = "number of their events" },
	{ .name = STR("tracepoints"), .type = FIELD_COUNT, MEMBER(struct capture_report, tracepoints), .help = "number of tracepoints" },
	{ .name = STR("bytes"),       .type = FIELD_COUNT, MEMBER(struct capture_report, bytes), .help = "size of all files" },
	{ .name = STR("redacted"),    .type = FIELD_RECORD, .flags = FIELD_LIST, VIA(struct capture_report, content), RECORDS(struct pmuq_captured, redactions, n_redactions), .record = &redaction_record,
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

static enum status print_document(const struct capture_report *report, enum document_form form)
{
	struct document document;

	document_begin(&document, form, &capture_document, report);
	for (size_t i = 0; i < report->files; i++)
		document_row(&document, pmuq_capture_file(report->capture, i));
	return document_end(&document, NULL);
}

/* -------------------------------------------------------------------------------- the command */

/* `path` is NULL with --dry-run: everything is done except the writing, so that the report is that
 * of the capture. The counts are those of the capture, not of the machine. */
static enum status capture(const struct options *options, const char *path)
{
	const struct pmuq_capture_options taken_as = {
		.size = sizeof(taken_as),
		.time_s = clock_now_s(),
		.keeps_hostname = option_is_set(options, OPTION_HOSTNAME),
		.hostname = option_value(options, OPTION_HOSTNAME),
	};
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	cleanup(pmuq_capture_freep) struct pmuq_capture *taken = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct capture_report report = { .path = path };
	enum status status = source_open(&options->cli, &source);

	if (status != STATUS_OK)
		return status;
	if (pmuq_capture_take(source, &taken_as, &taken, &error) < 0 ||
	    (path && pmuq_capture_write(taken, path, &error) < 0))
		return report_error(error, NULL);
	report.capture = taken;
	report.content = pmuq_capture_content(taken);
	count(&report);
	if (options->output.form != DOCUMENT_NONE)
		return print_document(&report, options->output.form);
	print_text(&report);
	return STATUS_OK;
}

/* A capture cannot be written to stdout: a tar needs a name, which selects the compression. */
static enum status run_capture(const struct options *options)
{
	const char *path = options->operands[0];

	if (option_is_set(options, OPTION_DRY_RUN))
		return capture(options, NULL);
	if (!path)
		return usage_error(
			"capture needs a new directory or a new file such as web01.tar.xz");
	if (strcmp(path, "-") == 0)
		return usage_error("capture writes a directory or a tar, not stdout");
	return capture(options, path);
}

const struct command cmd_capture = {
	.name = "capture",
	.arguments = "DIR|FILE.tar[.xz|.gz|.zst]",
	.n_most = 1,
	.no_host = "it copies files, and a host of the database has none: use `pmuq export`",
	.summary = "copy the files of a machine that pmuq reads",
	.text = "DIR must be new or empty, FILE new. `pmuq --sysroot DIR|FILE.tar ...` then\n"
		"prints what it prints on the machine itself. Data that identifies the machine is\n"
		"removed: a hash replaces the machine-id, the hostname is left out, and of\n"
		"/proc/cpuinfo only the lines that pmuq reads are copied. Files that could not be\n"
		"read are marked; root can read the ids of tracepoints. With --sysroot, capture\n"
		"copies another tree.\n\n"
		"Examples:\n"
		"  pmuq capture web01.tar.xz\n"
		"  pmuq capture --dry-run\n",
	.options = OPTION_LIST(OPTION_HOSTNAME, OPTION_DRY_RUN, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&capture_document),
	.run = run_capture,
};
