/* SPDX-License-Identifier: MIT */
#include "cli/output/document.h"
#include "cli/report.h"

/* The document, its rows, and each row on a line of its own. */
#define JSON_LINE_LEVELS 2

static bool is_lines(const struct document *document)
{
	return document->form == DOCUMENT_JSONL;
}

/* Whether stdout took all of it is tested once, when the command ends. */
static void flush(struct document *document)
{
	if (document->buf.n)
		fwrite_unlocked(document->buf.p, 1, document->buf.n, stdout);
	document->buf.n = 0;
}

static int open_sink(struct document *document)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;

	if (document->form == DOCUMENT_YAML)
		return pq_sink_yaml(&document->buf, &document->sink, &error) < 0
			       ? report_error(error, NULL)
			       : STATUS_OK;
	document->sink = pq_sink_json(&document->buf, is_lines(document) ? 0 : JSON_LINE_LEVELS);
	return document->sink ? STATUS_OK : report_failed("out of memory");
}

int document_begin(struct document *document, enum document_form form, const char *schema)
{
	int status;

	*document = (struct document){ .form = form };
	status = open_sink(document);
	if (status != STATUS_OK || is_lines(document))
		return status;
	pq_sink_begin(document->sink);
	doc_open(document->sink, '{');
	doc_text(document->sink, "schema", schema);
	return STATUS_OK;
}

void document_begin_rows(struct document *document, const char *name)
{
	if (is_lines(document))
		return;
	doc_key(document->sink, name);
	doc_open(document->sink, '[');
}

void document_end_rows(struct document *document)
{
	if (!is_lines(document))
		doc_close(document->sink, ']');
}

void document_begin_row(struct document *document)
{
	if (is_lines(document))
		pq_sink_begin(document->sink);
}

void document_end_row(struct document *document)
{
	if (is_lines(document))
		pq_sink_end(document->sink);
	flush(document);
}

int document_end(struct document *document)
{
	bool has_failed;

	if (!document->sink)
		return STATUS_OK;
	if (!is_lines(document)) {
		doc_close(document->sink, '}');
		pq_sink_end(document->sink);
		pq_sink_finish(document->sink);
	}
	has_failed = document->sink->failed || document->buf.failed;
	flush(document);
	pq_sink_free(document->sink);
	pq_buf_free(&document->buf);
	return has_failed ? report_failed("out of memory") : STATUS_OK;
}
