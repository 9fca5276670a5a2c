/* SPDX-License-Identifier: MIT */
/* What `pmuq explain` is made of: how encodings with assignments are shown. */
#ifndef PQ_CLI_EXPLAIN_H
#define PQ_CLI_EXPLAIN_H

#include "cli/events/encode_output.h"

/* The width of drawings if stdout is not a terminal. */
#define EXPLAIN_COLUMNS 80

/* explain_draw.c: each config word that has a value or that a term speaks for, as a register. The
 * source has the PMU's formats. */
void explain_draw(FILE *to, struct pmuq_source *source, const struct pmuq_encoding *encoding);

/* explain_record.c */
extern const struct document_type explain_document;

/* explain_table.c: a line an assignment, by field. */
void explain_print_table(FILE *to, const struct fold *fold);
/* A path of the first PMU with the names of all in its place; to be freed, NULL out of memory. */
char *explain_origin(const struct fold *fold, const char *origin);

#endif
