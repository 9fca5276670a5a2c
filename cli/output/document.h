/* SPDX-License-Identifier: MIT */
/*
 * Prints a document on stdout as JSON, JSON lines or YAML, by its description: members before its
 * rows, the rows one by one, and members after them. In JSON lines each row is a line with the
 * schema as its first member, and so are the members before and after the rows.
 */
#pragma once

#include "cli/output/record.h"
#include "cli/status.h"

enum document_form {
	DOCUMENT_NONE, /* text for people */
	DOCUMENT_JSON,
	DOCUMENT_JSONL,
	DOCUMENT_YAML,
};

/* Schema "pmuq.NAME/1", in schemas/NAME.schema.json. */
struct document_type {
	const char *name;		/* "encode" */
	const char *title;		/* "pmuq encode" */
	const struct record_type *head; /* members before the rows; NULL: none */
	const char *rows;		/* key of the list of rows; NULL: no list */
	const struct record_type *row;
	bool is_table; /* without a document option: a table of the rows, with -o and others */
	const struct record_type *tail; /* members after the rows; NULL: none */
};

struct document {
	const struct document_type *type;
	enum document_form form;
	const struct field *const *fields; /* of a row, up to NULL; NULL: all */
	struct pq_sink *sink;
	struct pq_buf buf, scratch;
	struct pmuq_str schema;
	char schema_text[64];
	enum status status; /* a failure, which was reported */
};

/* Prints the document up to its first row; `head` is a record of type->head. document_end() returns
 * the same failure, and rows of a failed document are ignored. */
enum status document_begin(struct document *document, enum document_form form,
			   const struct document_type *type, const void *head);
/* Prints a row and flushes it to stdout. */
void document_row(struct document *document, const void *row);
/* Prints the rest, and frees the document; `tail` is a record of type->tail, or NULL if all of its
 * members may be left out. */
enum status document_end(struct document *document, const void *tail);

/* A document that consists of its head. */
enum status document_print(enum document_form form, const struct document_type *type,
			   const void *head);

/* The values of the options of the output. */
struct output_choice {
	enum document_form form;
	const char *columns; /* of -o, or NULL */
	bool is_raw, has_no_headings, has_no_pager;
};
