/* SPDX-License-Identifier: MIT */
/* The result of `pmuq fit`, as text (fit_text.c) and as a document (fit_record.c). */
#pragma once

#include "cli/events/encode_output.h"

extern const struct result_type fit_type;
extern const struct document_type fit_document;

/* A set of a result, by its index. */
struct shown_fit {
	const struct result *result;
	const struct pmuq_fit_set *set;
	size_t index;
};
