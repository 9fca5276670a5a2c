/* SPDX-License-Identifier: MIT */
/*
 * Summaries for people, on stdout: a title, and below it lines with a label and a text. A long text
 * continues on further lines, aligned with its beginning. Bytes that a terminal could execute are
 * not printed.
 */
#pragma once

#include "cli/report.h"

/* The column where texts begin: two blanks, the label, and a blank. */
#define LABEL_COLUMNS 11
/* The width of prose and drawings if stdout is not a terminal. */
#define PROSE_COLUMNS 80

void label_title(const char *title);
/* Prints the label alone ("" is blank), if the caller prints the text with colours. */
void label_begin(const char *label);
/* Prints nothing if the text is NULL or empty. The text may break at blanks and newlines. */
void label_text(const char *label, const char *text);
/* The same for prose, such as a description. */
void label_paragraph(const char *label, const char *text);
void label_print(const char *label, const char *format, ...) PQ_PRINTF(2, 3);
