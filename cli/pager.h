/* SPDX-License-Identifier: MIT */
/* Long text on a small terminal. */
#ifndef PQ_CLI_PAGER_H
#define PQ_CLI_PAGER_H

#include "cli/output/table.h"

/* How many lines of a terminal that many columns wide the text takes. */
size_t pager_lines(const char *text, unsigned columns);

/*
 * Prints the text on stdout: through $PAGER where stdout is a terminal that it does not fit on and
 * `wants_pager` is set. A pager that cannot be started, or that is left early, is no error.
 */
void pager_print(const char *text, bool wants_pager);
/* A table: programs get it as it comes, people one that fits their terminal, or their pager. False,
 * and reported, when out of memory. */
bool pager_print_table(struct table *table, enum table_style style, bool wants_pager);

#endif
