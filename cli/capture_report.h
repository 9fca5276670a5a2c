/* SPDX-License-Identifier: MIT */
/* The report of `pmuq capture`, as text and as a document. */
#ifndef PQ_CLI_CAPTURE_H
#define PQ_CLI_CAPTURE_H

#include "cli/output/choice.h"
#include <pmuq/pmuq.h>

struct capture_report {
	const struct pmuq_capture *capture;
	const char *path; /* where it was written to; NULL: it was not */
};

void capture_print_text(const struct capture_report *report);
extern const struct document_type *const capture_documents[];
enum status capture_print_document(const struct capture_report *report, enum document_form form);

#endif
