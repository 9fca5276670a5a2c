/* SPDX-License-Identifier: MIT */
/*
 * What encode answers, in the words of a case file (tests/cases/README.md): a line an encoding, its
 * warnings, or the whole diagnosis. Two answers are the same if these texts are. To be freed.
 */
#ifndef TESTS_ANSWER_H
#define TESTS_ANSWER_H

#include <pmuq/pmuq.h>

/* One of the two is NULL; neither is taken over. */
char *answer_text(const struct pmuq_encodings *encodings, const struct pmuq_error *error,
		  const char *event);
char *answer_of_source(struct pmuq_source *source, const char *event,
		       const struct pmuq_encode_options *options);
char *answer_of_catalog(const struct pmuq_catalog *catalog, const char *event,
			const struct pmuq_encode_options *options);

#endif
