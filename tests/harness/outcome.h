/* SPDX-License-Identifier: MIT */
/*
 * The outcome of encoding a string, as text of a case file (tests/cases/README.md): one line for
 * each encoding, its warnings, or the whole error. Two outcomes are equal if their texts are. The
 * caller frees the text.
 */
#pragma once

#include <pmuq/pmuq.h>

/* One of the two is NULL; the caller keeps both. */
char *outcome_text(const struct pmuq_encodings *encodings, const struct pmuq_error *error,
		   const char *event);
char *outcome_of_source(struct pmuq_source *source, const char *event,
			const struct pmuq_encode_options *options);
char *outcome_of_catalog(const struct pmuq_catalog *catalog, const char *event,
			 const struct pmuq_encode_options *options);
