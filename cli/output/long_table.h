/* SPDX-License-Identifier: MIT */
/* Prints a long table of plain text: what libsmartcols prints of it, in a twentieth of the time. */
#pragma once

#include "cli/output/text_table.h"
#include <stdio.h>

/* libsmartcols takes half a microsecond for each cell, most of it to find the width of each
 * character: a millisecond for this many rows. */
#define LONG_TABLE_ROWS 256

/* All texts are printable ASCII. */
void long_table_print(const struct text_table *table, FILE *to);
