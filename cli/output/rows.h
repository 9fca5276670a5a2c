/* SPDX-License-Identifier: MIT */
/* Rows of one type of record in any form: a table, raw columns, JSON, JSON lines or YAML. */
#pragma once

#include "cli/output/document.h"
#include "cli/output/raw.h"
#include "cli/output/table.h"

struct rows {
	const struct document_type *type;
	const struct output_choice *choice;
	struct columns columns;
	/* One of these, as the choice is. */
	struct table *table;
	struct raw_rows raw;
	struct document document;
	enum status status; /* the first failure */
};

/*
 * `usual` are the flags of the default columns of a table; documents have all fields unless -o
 * names some.
 */
void rows_begin(struct rows *rows, const struct document_type *type,
		const struct output_choice *choice, unsigned usual);
void rows_add(struct rows *rows, const void *record);
/* Prints what is not yet printed, through a pager if it is long, and frees. Returns the first
 * failure, which was reported: after a failure no row is added, and a table is not printed. */
enum status rows_end(struct rows *rows);

/* Whether they are a table for people. */
bool output_is_for_people(const struct output_choice *choice);
