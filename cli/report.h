/* SPDX-License-Identifier: MIT */
/*
 * Errors and notes on stderr, text that is safe to show on a terminal, and colours where they are
 * wanted. Data is written elsewhere.
 */
#pragma once

#include "cli/status.h"
#include "core/freep.h"
#include <stdarg.h>
#include <stdio.h>

enum report_level {
	REPORT_ERROR,
	REPORT_WARNING,
	REPORT_NOTE,
};

/* "pmuq: " and a sentence; what is on its way to stdout goes first. */
void report_line(enum report_level level, const char *format, va_list args) PQ_PRINTF(2, 0);
void report(enum report_level level, const char *format, ...) PQ_PRINTF(2, 3);
/* report(REPORT_ERROR, …) and then STATUS_FAILED. */
enum status report_failed(const char *format, ...) PQ_PRINTF(1, 2);

/* The whole error on stderr, with the caret; `where` ("events.txt:3") may be NULL. Returns the
 * exit status of its code. */
enum status report_error(const struct pmuq_error *error, const char *where);
/* Whether such an error was that there is no memory. */
bool report_had_no_memory(void);
/* The exit status of a code. */
enum status report_status(enum pmuq_code code);

/* An error printed to `to`, each line after `indent`. `text` (may be NULL) is what the offset
 * points into unless the error says. */
void report_draw(FILE *to, enum report_level level, const struct pmuq_error *error,
		 const char *text, const char *indent);
/* An error of the command's own; its texts stay the caller's. */
struct pmuq_error error_of(enum pmuq_code code, const char *message, const char *hint);

/* What a terminal might obey, or is not UTF-8, is printed as a dot. */
void print_safe(FILE *to, const char *text);
/* The same of a line that is formatted here. */
void print_safe_line(FILE *to, const char *format, ...) PQ_PRINTF(2, 3);
/* What comes before an error: "FILE:LINE: ", or "FILE: " if the line is 0. */
void print_location(FILE *to, const char *file, size_t line);
/* Whether the text is UTF-8 without control characters. */
bool is_safe(const char *text);
/* ", 2 events" on stdout, after `before`. */
void print_plural(const char *before, size_t n, const char *noun);

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
