/* SPDX-License-Identifier: MIT */
/*
 * Errors and notes on stderr, text that is safe for a terminal, and colours if they are enabled.
 * Other modules write data.
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

/* The name before each sentence; "pmuq" unless it is set. Not copied. */
void report_set_program(const char *name);
/* Prints "pmuq: " and a sentence, after flushing stdout. */
void report_line(enum report_level level, const char *format, va_list args) PQ_PRINTF(2, 0);
void report(enum report_level level, const char *format, ...) PQ_PRINTF(2, 3);
/* Calls report(REPORT_ERROR, …) and returns STATUS_FAILED. */
enum status report_failed(const char *format, ...) PQ_PRINTF(1, 2);

/* The whole error on stderr, with the caret; `where` ("events.txt:3") may be NULL. Returns the
 * exit status of its code. */
enum status report_error(const struct pmuq_error *error, const char *where);
/* Whether an error about missing memory was reported. */
bool report_had_no_memory(void);
/* The exit status of a code. */
enum status report_status(enum pmuq_code code);

/* Prints an error to `to`, each line after `indent`. `text` (may be NULL) is the text of the
 * offset, unless the error contains another one. */
void report_draw(FILE *to, enum report_level level, const struct pmuq_error *error,
		 const char *text, const char *indent);
/* An error of the command itself; the caller keeps its texts. */
struct pmuq_error error_of(enum pmuq_code code, const char *message, const char *hint);

/* Prints bytes that a terminal could execute, or that are not UTF-8, as \x1b. */
void print_safe(FILE *to, const char *text);
/* The same of a line that is formatted here. */
void print_safe_line(FILE *to, const char *format, ...) PQ_PRINTF(2, 3);
/* The text before an error: "FILE:LINE: ", or "FILE: " if the line is 0. */
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

/* Escape sequences, or "" if `to` has no colours (terminal.h). STYLE_NONE ends a style. */
const char *style_code(FILE *to, enum style style);
