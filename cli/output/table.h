/* SPDX-License-Identifier: MIT */
/* Tables for people: rows are gathered, and printed when all are known. */
#pragma once

#include "cli/output/columns.h"
#include <stdio.h>

struct table;

/* Returns NULL and reports an error if libsmartcols is missing. */
struct table *table_new(bool has_headings);
void table_free(struct table *table);
/* The columns are the same for all rows, and belong to the caller. */
void table_add_row(struct table *table, const struct columns *columns, const void *record);
/*
 * `width`: that of the terminal; 0: no limit. Redundant default columns are dropped until the
 * others fit. Returns false after a failure, which was reported.
 */
bool table_print(struct table *table, const struct columns *columns, unsigned width, FILE *to);
