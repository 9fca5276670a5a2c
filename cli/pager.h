/* SPDX-License-Identifier: MIT */
/* Shows a long text on a small terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The number of lines that the text takes on a terminal with that many columns. Escape sequences
 * take no column; with 0 columns lines do not wrap. */
size_t pager_lines(const char *text, unsigned columns);

/*
 * Prints the text on stdout: through $PAGER if `wants_pager` is set and stdout is a terminal that
 * is too small for it. A pager that cannot be started, or that exits early, is not an error.
 */
void pager_print(const char *text, bool wants_pager);
