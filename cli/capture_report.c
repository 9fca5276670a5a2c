/* SPDX-License-Identifier: MIT */
#include "cli/capture_report.h"
#include "cli/cmd.h"
#include "cli/output/document.h"
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
	const struct pmuq_catalog *catalog = pmuq_capture_catalog(capture);
	struct counts counts = { .pmus = pmuq_catalog_pmu_count(catalog),
				 .tracepoints = pmuq_capture_tracepoint_count(capture),
				 .files = pmuq_capture_file_count(capture) };

	for (size_t i = 0; i < counts.pmus; i++)
		counts.events += pmuq_pmu_event_count(pmuq_catalog_pmu(catalog, i));
	for (size_t i = 0; i < counts.files; i++)
		counts.bytes += pmuq_capture_file_bytes(capture, i);
	return counts;
}

static void print_count(const char *before, size_t n, const char *noun)
{
	printf("%s%zu %s%s", before, n, noun, n == 1 ? "" : "s");
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
	for (size_t i = 0; i < pmuq_capture_redaction_count(capture); i++)
		print_item("redacted", i, pmuq_capture_redaction_path(capture, i),
			   pmuq_capture_redaction_text(capture, i));
}

static void print_unread(const struct pmuq_capture *capture)
{
	size_t n = pmuq_capture_unread_count(capture);
	bool is_forbidden = false;

	for (size_t i = 0; i < n; i++) {
		int errnum = pmuq_capture_unread_errno(capture, i);

		is_forbidden |= errnum == EACCES || errnum == EPERM;
		if (i < UNREAD_SHOWN)
			print_item("not read", i, pmuq_capture_unread_path(capture, i),
				   pmuq_capture_unread_why(capture, i));
	}
	if (n > UNREAD_SHOWN)
		printf("%-9s  and %zu more (-J lists all)\n", "", n - UNREAD_SHOWN);
	if (is_forbidden && geteuid() != 0)
		printf("%-9s  root can read what is not permitted here\n", "");
}

static void print_files(const struct pmuq_capture *capture)
{
	for (size_t i = 0; i < pmuq_capture_file_count(capture); i++) {
		printf("%9zu  ", pmuq_capture_file_bytes(capture, i));
		print_safe(stdout, pmuq_capture_file_path(capture, i));
		putchar('\n');
	}
}

void capture_print_text(const struct capture_report *report)
{
	struct counts counts = count(report->capture);

	printf("%s", report->path ? "captured to " : "would be captured");
	if (report->path)
		print_safe(stdout, report->path);
	print_count(": ", counts.pmus, "PMU");
	print_count(", ", counts.events, "event");
	print_count(", ", counts.tracepoints, "tracepoint");
	print_count("; ", counts.files, "file");
	print_count(" of ", counts.bytes, "byte");
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

static void write_number(struct pq_sink *doc, const char *key, size_t value)
{
	doc_key(doc, key);
	pq_sink_number(doc, (int64_t)value);
}

static void write_counts(struct pq_sink *doc, const struct pmuq_capture *capture)
{
	struct counts counts = count(capture);

	write_number(doc, "pmus", counts.pmus);
	write_number(doc, "events", counts.events);
	write_number(doc, "tracepoints", counts.tracepoints);
	write_number(doc, "bytes", counts.bytes);
}

/* An array of files, each with what `tell` says about it. */
static void write_paths(struct pq_sink *doc, const struct pmuq_capture *capture, const char *key,
			size_t n, const char *(*path_of)(const struct pmuq_capture *, size_t),
			void (*tell)(struct pq_sink *, const struct pmuq_capture *, size_t))
{
	doc_key(doc, key);
	doc_open(doc, '[');
	for (size_t i = 0; i < n; i++) {
		doc_open(doc, '{');
		doc_text(doc, "path", path_of(capture, i));
		tell(doc, capture, i);
		doc_close(doc, '}');
	}
	doc_close(doc, ']');
}

static void tell_redaction(struct pq_sink *doc, const struct pmuq_capture *capture, size_t index)
{
	doc_text(doc, "how", pmuq_capture_redaction_text(capture, index));
}

static void tell_unread(struct pq_sink *doc, const struct pmuq_capture *capture, size_t index)
{
	doc_text(doc, "why", pmuq_capture_unread_why(capture, index));
	write_number(doc, "errno", (size_t)pmuq_capture_unread_errno(capture, index));
}

static void tell_file(struct pq_sink *doc, const struct pmuq_capture *capture, size_t index)
{
	write_number(doc, "bytes", pmuq_capture_file_bytes(capture, index));
}

int capture_print_json(const struct capture_report *report)
{
	struct document document;
	struct pq_sink *doc;
	int status = document_begin(&document, DOCUMENT_JSON, "pmuq.capture/1");

	if (status != STATUS_OK)
		return status;
	doc = document.sink;
	doc_key(doc, "written");
	doc_string_or_null(doc, report->path);
	write_counts(doc, report->capture);
	write_paths(doc, report->capture, "redacted", pmuq_capture_redaction_count(report->capture),
		    pmuq_capture_redaction_path, tell_redaction);
	write_paths(doc, report->capture, "unread", pmuq_capture_unread_count(report->capture),
		    pmuq_capture_unread_path, tell_unread);
	write_paths(doc, report->capture, "files", pmuq_capture_file_count(report->capture),
		    pmuq_capture_file_path, tell_file);
	return document_end(&document);
}
