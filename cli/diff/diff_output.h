/* SPDX-License-Identifier: MIT */
/* What `pmuq diff` prints: text for people, a summary, a document. */
#pragma once

#include "cli/output/document.h"
#include "cli/report.h"

struct diffed_machine {
	const char *word; /* as the command line names it; NULL: not printed */
	const struct pmuq_catalog *catalog;
};

struct shown_diff {
	const struct pmuq_diff *diff;
	struct diffed_machine machines[2]; /* before and after */
	enum pmuq_weight least;		   /* the lowest weight that is shown */
};

static inline bool diff_shows(const struct shown_diff *shown, enum pmuq_weight weight)
{
	return weight <= shown->least;
}

static inline bool diff_shows_some(const struct shown_diff *shown)
{
	for (int weight = 0; weight <= (int)shown->least; weight++)
		if (pmuq_diff_weight_count(shown->diff, (enum pmuq_weight)weight))
			return true;
	return false;
}

/* "Broken", "Added" … */
const char *diff_weight_heading(enum pmuq_weight weight);
/* Colours are those of stdout. */
void diff_print_text(const struct shown_diff *shown, FILE *to);
/* The number of changes of each weight, for each PMU. */
void diff_print_stat(const struct shown_diff *shown, FILE *to);
/* One line: the number of changes of each weight, and how many are not shown. */
void diff_print_summary(const struct shown_diff *shown, FILE *to);

/* diff_document.c: a record of struct pmuq_change, and the document. */
extern const struct record_type change_record;
extern const struct document_type diff_document;
enum status diff_print_document(const struct shown_diff *shown, enum document_form form);
