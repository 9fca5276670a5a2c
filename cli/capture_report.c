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
		printf("%-9s  root can read what is not permitted here\n", "");
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

static const char *redaction_path(const struct pmuq_capture *capture, size_t index)
{
	return pmuq_capture_content(capture)->redactions[index].name.p;
}

static const char *unread_path(const struct pmuq_capture *capture, size_t index)
{
	return pmuq_capture_unread(capture, index)->path.p;
}

static const char *file_path(const struct pmuq_capture *capture, size_t index)
{
	return pmuq_capture_file(capture, index)->path.p;
}

static void tell_redaction(struct pq_sink *doc, const struct pmuq_capture *capture, size_t index)
{
	doc_text(doc, "how", pmuq_capture_content(capture)->redactions[index].text.p);
}

static void tell_unread(struct pq_sink *doc, const struct pmuq_capture *capture, size_t index)
{
	doc_text(doc, "why", pmuq_capture_unread(capture, index)->message.p);
	write_number(doc, "errno", (size_t)pmuq_capture_unread(capture, index)->errnum);
}

static void tell_file(struct pq_sink *doc, const struct pmuq_capture *capture, size_t index)
{
	write_number(doc, "bytes", pmuq_capture_file(capture, index)->n_bytes);
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
	write_paths(doc, report->capture, "redacted",
		    pmuq_capture_content(report->capture)->n_redactions, redaction_path,
		    tell_redaction);
	write_paths(doc, report->capture, "unread", pmuq_capture_content(report->capture)->n_unread,
		    unread_path, tell_unread);
	write_paths(doc, report->capture, "files", pmuq_capture_content(report->capture)->n_files,
		    file_path, tell_file);
	return document_end(&document);
}
