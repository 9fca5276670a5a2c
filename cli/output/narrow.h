/* SPDX-License-Identifier: MIT */
/* Prints a table that is wider than the terminal. No line is longer than the width unless one word
 * is, and no word is cut. */
#pragma once

#include "cli/output/text_table.h"
#include <stdio.h>

void narrow_print(const struct text_table *table, FILE *to);
