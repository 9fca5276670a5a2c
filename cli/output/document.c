/* SPDX-License-Identifier: MIT */
/*
 * Writes a document row by row, so that a long document needs little memory and a pipe gets each
 * row as soon as it is known. record.c writes the values, a sink of core/text/ the syntax.
 */
#include "cli/output/document.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/served.h"

/* The document, its rows, and each row on a line of its own. */
#define JSON_LINE_LEVELS 2

static bool is_lines(const struct document *document)
{
	return document->form == DOCUMENT_JSONL;
}

/* The command checks once, at its end, whether stdout took everything. */
static void flush(struct document *document)
{
	if (served)
		served_limit_document(served);
	else if (document->buf.n)
		fwrite_unlocked(document->buf.p, 1, document->buf.n, stdout);
	document->buf.n = 0;
}

static struct pq_buf *target(struct document *document)
{
	return served ? &served->document : &document->buf;
}

/* YAML needs libyaml, which may be missing; JSON needs no library. */
static enum status open_sink(struct document *document)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (document->form == DOCUMENT_YAML)
		return pq_sink_yaml(target(document), &document->sink, &error) < 0
			       ? report_error(error, NULL)
			       : STATUS_OK;
	document->sink =
		or_die(pq_sink_json(target(document), is_lines(document) ? 0 : JSON_LINE_LEVELS));
	return STATUS_OK;
}

/* The whole document, or a line of JSON lines: each begins with the schema. */
static void begin_object(struct document *document)
{
	pq_sink_begin(document->sink);
	pq_sink_open(document->sink, '{');
	pq_sink_key(document->sink, STR("schema"));
	pq_sink_text(document->sink, document->schema);
}

static void end_object(struct document *document)
{
	pq_sink_close(document->sink, '}');
	pq_sink_end(document->sink);
}

/* In JSON lines, these members are a line of their own. */
static void write_members(struct document *document, const struct record_type *type,
			  const void *record)
{
	if (!type)
		return;
	if (is_lines(document))
		begin_object(document);
	record_write_members(document->sink, type, record, &document->scratch);
	if (is_lines(document))
		end_object(document);
}

enum status document_begin(struct document *document, enum document_form form,
			   const struct document_type *type, const void *head)
{
	int n;

	*document = (struct document){ .form = form, .type = type };
	n = snprintf(document->schema_text, sizeof(document->schema_text), "pmuq.%s/1", type->name);
	document->schema = (struct pmuq_str){ .p = document->schema_text, .n = (size_t)n };
	document->status = open_sink(document);
	if (document->status != STATUS_OK)
		return document->status;
	if (!is_lines(document))
		begin_object(document);
	write_members(document, type->head, head);
	if (type->rows && !is_lines(document)) {
		pq_sink_key(document->sink, str_of(type->rows));
		pq_sink_open(document->sink, '[');
	}
	return STATUS_OK;
}

/* All fields of the row, or those of -o in its order. */
static void write_fields(struct document *document, const void *row)
{
	if (!document->fields)
		record_write_members(document->sink, document->type->row, row, &document->scratch);
	for (const struct field *const *field = document->fields; field && *field; field++)
		field_write(document->sink, document->type->row, *field, row, &document->scratch);
}

void document_row(struct document *document, const void *row)
{
	if (!document->sink || (served && served->is_too_large))
		return;
	if (is_lines(document))
		begin_object(document);
	else
		pq_sink_open(document->sink, '{');
	write_fields(document, row);
	if (served)
		served->n_rows++;
	if (is_lines(document))
		end_object(document);
	else
		pq_sink_close(document->sink, '}');
	flush(document);
}

/* Closes the list of rows, and writes what comes after it. */
static void finish(struct document *document, const void *tail)
{
	if (document->type->rows && !is_lines(document))
		pq_sink_close(document->sink, ']');
	if (tail)
		write_members(document, document->type->tail, tail);
	if (!is_lines(document))
		end_object(document);
	pq_sink_finish(document->sink);
}

/* A failed write is detected here: the buffers remember it. */
enum status document_end(struct document *document, const void *tail)
{
	if (document->sink) {
		finish(document, tail);
		done_or_die(!document->sink->failed && !target(document)->failed &&
			    !document->scratch.failed);
		flush(document);
	}
	pq_sink_free(document->sink);
	pq_buf_free(&document->buf);
	pq_buf_free(&document->scratch);
	return document->status;
}

enum status document_print(enum document_form form, const struct document_type *type,
			   const void *head)
{
	struct document document;

	document_begin(&document, form, type, head);
	return document_end(&document, NULL);
}
