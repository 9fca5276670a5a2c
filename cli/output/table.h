/* SPDX-License-Identifier: MIT */
/* Tables for people. The only part that knows libsmartcols, which is loaded when the first table is
 * made. */
#pragma once

#include "cli/output/columns.h"
#include <stdio.h>

struct table;

/* NULL if the library is missing, which was reported. Raw: one blank between columns; blanks in
 * texts as \x20. */
struct table *table_new(bool is_raw, bool has_headings);
void table_free(struct table *table);
/* The columns, which stay the caller's, are the same for all rows. */
void table_add_row(struct table *table, const struct columns *columns, const void *record);
/*
 * `width`: of the terminal; 0: as wide as it gets. Default columns that are spare are dropped until
 * the rest fits. False when it failed, which was reported.
 */
bool table_print(struct table *table, const struct columns *columns, unsigned width, FILE *to);

/* "2.38.1", which is static. 0, -PMUQ_E_NO_LIBRARY, -PMUQ_E_MEMORY. */
int table_library_version(const char **ret);
