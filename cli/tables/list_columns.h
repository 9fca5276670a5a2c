/* SPDX-License-Identifier: MIT */
/* Which columns a list has: the usual ones of its kind, or those behind -o. */
#ifndef PQ_CLI_LIST_COLUMNS_H
#define PQ_CLI_LIST_COLUMNS_H

#include "cli/cmd.h"
#include "cli/tables/list.h"

#define LIST_COLUMNS_MAX 32

struct list_columns {
	const struct list_kind *kind;
	const struct column *at[LIST_COLUMNS_MAX];
	size_t n, n_usual; /* the usual ones come first */
};

/*
 * Anew: the columns of which a flag is in `usual`, and those that are named ("A,B" in their place,
 * "+A,B" behind them; NULL: none). Answers a status, and reports a column that there is not.
 */
int list_columns_choose(struct list_columns *columns, const struct command *command,
			const char *names, unsigned usual);
/* Whether the kind has a column with that flag. */
bool list_columns_know(const struct list_columns *columns, unsigned flag);
/* The usual columns that others tell as well go first, from the right, until the rest fits. */
void list_columns_fit(struct list_columns *columns, const struct list_row *rows, size_t n_rows,
		      unsigned width);

/* All columns of a kind, of all kinds, on stdout. */
void list_columns_print_kind(const struct list_kind *kind);
void list_columns_print(void);

#endif
