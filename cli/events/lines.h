/* SPDX-License-Identifier: MIT */
/*
 * Lines of a file or a pipe, each as soon as it is complete. Memory stays constant: a line beyond
 * the limit is cut, its rest is skipped, and the library refuses a text of that length. Before a
 * read that may block, stdout is flushed, so that a program that writes strings into a pipe sees
 * each result at once.
 */
#pragma once

#include "cli/status.h"
#include "core/limits.h"
#include <stddef.h>

/* A line without its newline, NUL-terminated; it may be changed, and lives until lines are used.
 * `n_bytes` shows whether it contains a NUL. `file` is for messages, `line` begins with
 * 1. */
typedef void take_line_fn(void *of, char *text, size_t n_bytes, const char *file, size_t line);

/* The lines that were taken must be used now: others are about to be read, or there are no more. */
typedef void use_lines_fn(void *of);

/* "-" is stdin. `use` may be NULL: a line lives until `take` returns. Reports a file that cannot be
 * read. */
enum status lines_read(const char *path, size_t max_bytes, take_line_fn *take, use_lines_fn *use,
		       void *of);

/* The event string in a line, in place: without blanks at either end and without a comment (a # at
 * the start or after a blank, outside of quotes). May be empty. */
char *lines_event(char *line);
