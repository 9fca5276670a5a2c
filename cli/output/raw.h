/* SPDX-License-Identifier: MIT */
/* Rows for scripts, as they come: one blank between columns, and none within a value. */
#pragma once

#include "cli/output/columns.h"
#include "core/buf.h"

struct raw_rows {
	bool has_headings;		   /* set by the caller */
	bool has_begun;			   /* the rest is zeroed by the caller, once */
	struct pq_buf scratch, text, line; /* of the row that is being printed */
};

/* Headings are printed before the first row. The columns are the same for all rows. */
void raw_add_row(struct raw_rows *rows, const struct columns *columns, const void *record);
void raw_free(struct raw_rows *rows);
