/* SPDX-License-Identifier: MIT */
/* Long text on a small terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How many lines of a terminal that many columns wide the text takes. Escape sequences take no
 * column; with 0 columns lines do not wrap. */
size_t pager_lines(const char *text, unsigned columns);

/*
 * Prints the text on stdout: through $PAGER if stdout is a terminal that it does not fit on and
 * `wants_pager` is set. A pager that cannot be started, or that is left early, is not an error.
 */
void pager_print(const char *text, bool wants_pager);
