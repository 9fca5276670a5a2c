/* SPDX-License-Identifier: MIT */
/*
 * A document on stdout as JSON, JSON lines or YAML: what comes before its rows, the rows one by
 * one, what comes after them. In JSON lines each row is a line of its own.
 */
#ifndef PQ_CLI_DOCUMENT_H
#define PQ_CLI_DOCUMENT_H

#include "cli/output/doc.h"

enum document_form {
	DOCUMENT_NONE, /* text for people */
	DOCUMENT_JSON,
	DOCUMENT_JSONL,
	DOCUMENT_YAML,
};

struct document {
	enum document_form form;
	struct pq_sink *sink; /* where members and rows are written */
	struct pq_buf buf;
};

/* The document, up to its schema ("pmuq.encode/1"). Answers a status; other than STATUS_OK it was
 * reported. */
int document_begin(struct document *document, enum document_form form, const char *schema);
/* The list of its rows, and what comes after them is no row any more. */
void document_begin_rows(struct document *document, const char *name);
void document_end_rows(struct document *document);
/* Around each row; the latter passes it on to stdout. */
void document_begin_row(struct document *document);
void document_end_row(struct document *document);
/* Answers a status, and frees. */
int document_end(struct document *document);

#endif
