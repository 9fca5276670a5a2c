/* SPDX-License-Identifier: MIT */
/*
 * Talk: errors and notes on stderr, text that is safe to show on a terminal, and colours where they
 * are wanted. Data is written elsewhere.
 */
#ifndef PQ_CLI_REPORT_H
#define PQ_CLI_REPORT_H

#include "cli/cmd.h"
#include <stdarg.h>

enum report_kind {
	REPORT_ERROR,
	REPORT_WARNING,
	REPORT_NOTE,
};

/* "pmuq: " and a sentence; what is on its way to stdout goes first. */
void report_line(enum report_kind kind, const char *format, va_list args) PQ_PRINTF(2, 0);
void report(enum report_kind kind, const char *format, ...) PQ_PRINTF(2, 3);
/* report(REPORT_ERROR, …) and then STATUS_FAILED. */
int report_failed(const char *format, ...) PQ_PRINTF(1, 2);

/* An error or a warning; texts live in the library's object. */
struct diagnosis {
	enum pmuq_code code;
	const char *message;
	const char *hint;  /* NULL: none, as of the two below */
	const char *input; /* what the span points into, where it is not the event string */
	const char *origin;
	size_t offset, length;
};

struct diagnosis diagnosis_of(const struct pmuq_error *error);

/* The whole diagnosis on stderr, with the caret; `where` ("events.txt:3") may be NULL. Answers the
 * exit status that the code stands for. */
int report_error(const struct pmuq_error *error, const char *where);
/* The same without printing. */
int report_status(enum pmuq_code code);

/* A diagnosis drawn on `to`, each line behind `indent`. `text` (may be NULL) is what the span
 * points into where the diagnosis does not say. */
void report_draw(FILE *to, enum report_kind kind, const struct diagnosis *diagnosis,
		 const char *text, const char *indent);

/* What a terminal might obey, or is no UTF-8, is shown as a dot. */
void print_safe(FILE *to, const char *text);

enum style {
	STYLE_NONE,
	STYLE_NAME,
	STYLE_QUIET,
	STYLE_ERROR,
	STYLE_WARNING,
	STYLE_GOOD,
};

/* Escape sequences, or "" when `to` is to have no colours (terminal.h). STYLE_NONE ends a style. */
const char *style_code(FILE *to, enum style style);

#endif
