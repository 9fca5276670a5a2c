/* SPDX-License-Identifier: MIT */
/* Rows of one type of record in any form: a table, raw columns, JSON, JSON lines or YAML. */
#ifndef PQ_CLI_ROWS_H
#define PQ_CLI_ROWS_H

#include "cli/output/choice.h"
#include "cli/output/table.h"

struct rows {
	const struct document_type *type;
	const struct output_choice *choice;
	struct columns columns;
	struct table *table; /* NULL: it is a document */
	struct document document;
};

/*
 * `usual` are the flags of the default columns of a table; documents have all fields unless -o
 * names some. `head` is a record of type->head. On failure all is over and was reported.
 */
enum status rows_begin(struct rows *rows, const struct command *command,
		       const struct document_type *type, const struct output_choice *choice,
		       unsigned usual, const void *head);
/* On failure all is over but rows_end(). */
enum status rows_add(struct rows *rows, const void *record);
/* Prints what is not yet printed, by a pager if it is long, and frees. */
enum status rows_end(struct rows *rows, enum status status);

/* Whether they are a table for people. */
bool output_is_for_people(const struct output_choice *choice);

#endif
