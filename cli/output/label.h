/* SPDX-License-Identifier: MIT */
/* Lines of a result's summary: a label, and words that go on below it when the line is full. */
#ifndef PQ_CLI_LABEL_H
#define PQ_CLI_LABEL_H

#include "cli/report.h"

/* Where what is labelled begins. */
#define LABEL_COLUMNS 11
#define LABEL_LINE_COLUMNS 100

struct label_line {
	FILE *to;
	int column;
};

/* An empty label is blank. */
struct label_line label_begin(FILE *to, const char *label);
void label_word(struct label_line *line, const char *word);
void label_print(struct label_line *line, const char *format, ...) PQ_PRINTF(2, 3);
void label_end(struct label_line *line);

#endif
