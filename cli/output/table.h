/* SPDX-License-Identifier: MIT */
/*
 * Tables for people and as JSON. The only part that knows libsmartcols, which is loaded when the
 * first table is made. What a table is about is the caller's: here are rows of texts.
 */
#ifndef PQ_CLI_TABLE_H
#define PQ_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum column_flags {
	COLUMN_RIGHT = 1 << 0,	  /* a number: to the right */
	COLUMN_WRAP = 1 << 1,	  /* goes on below where there is no room */
	COLUMN_NUMBER = 1 << 2,	  /* a number in JSON; no text is null */
	COLUMN_BOOLEAN = 1 << 3,  /* texts "yes" and "no", a boolean in JSON */
	COLUMN_DEFAULT = 1 << 4,  /* shown when no columns are asked for */
	COLUMN_NULLABLE = 1 << 5, /* no text is null in JSON, and not "" */
	COLUMN_FOLDS = 1 << 6,	  /* tells ranges where one row stands for many */
	COLUMN_SPARE = 1 << 7,	  /* left out of the usual columns where there is no room */
	COLUMN_CHECKED = 1 << 8,  /* a usual one where the machine was checked */
	COLUMN_SOURCED = 1 << 9,  /* a usual one where there are several sources */
	COLUMN_ROOMY = 1 << 10,	  /* likewise, on a wide terminal */
};

struct column {
	const char *name;
	double width; /* hint: columns if > 1, else a part of the terminal */
	unsigned flags;
	const char *help;
	/* Text to be freed, NULL when there is none. */
	char *(*text)(const void *row);
};

enum table_style {
	TABLE_PLAIN,
	TABLE_JSON,
	TABLE_RAW,
};

/* The text of a column, for a row: CELL(name) { return strdup(…of…); } */
#define CELL(name) static char *cell_##name(const void *of)

struct table;

/*
 * All report what went wrong. table_new() answers NULL when the library is missing or memory is
 * out; the columns must outlive the table.
 */
struct table *table_new(const char *name, enum table_style style, bool has_headings);
void table_free(struct table *table);
/* `columns` wide at most, where its columns can do with that; 0: as wide as it gets. */
void table_set_width(struct table *table, unsigned columns);
/* Rows stand for many: what folds is a text in JSON, too. Before the columns. */
void table_set_folded(struct table *table);
bool table_add_column(struct table *table, const struct column *column);
bool table_add_row(struct table *table, const void *row);
bool table_print(struct table *table, FILE *to);

/* "2.38.1", or NULL if it is not there. Static. */
const char *table_library_version(void);

#endif
