/* SPDX-License-Identifier: MIT */
/*
 * Summaries for people, on stdout: a title, and below it lines with a label and a text. A long text
 * continues on further lines below its beginning. What a terminal might obey is not printed.
 */
#pragma once

#include "cli/report.h"

/* Where texts begin: two blanks, and the label with a blank after it. */
#define LABEL_COLUMNS 11
/* The width of prose and drawings if stdout is not a terminal. */
#define PROSE_COLUMNS 80

void label_title(const char *title);
/* The label alone ("" is blank), if the text needs colours and the caller prints it. */
void label_begin(const char *label);
/* Nothing is printed if the text is NULL or empty. Blanks and newlines are where it may break. */
void label_text(const char *label, const char *text);
/* The same for prose, such as a description. */
void label_paragraph(const char *label, const char *text);
void label_print(const char *label, const char *format, ...) PQ_PRINTF(2, 3);
