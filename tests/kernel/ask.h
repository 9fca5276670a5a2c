/* SPDX-License-Identifier: MIT */
/*
 * Asks the kernel that runs, by the public API, from a child in some situation. What is to be
 * opened was encoded before, by the parent: the situation changes what opens, not what is asked.
 */
#ifndef PQ_TESTS_ASK_H
#define PQ_TESTS_ASK_H

#include "tests/kernel/paranoid.h"
#include <pmuq/pmuq.h>

#define ASK_TEXT_BYTES 512

struct question {
	const struct pmuq_encodings *encodings;
	const struct pmuq_open_options *options; /* NULL: the defaults */
	size_t index;				 /* which of the verdicts is wanted */
};

/* A verdict, as far as it has been said; "" where it says nothing. */
struct answer {
	int r; /* of pmuq_encodings_test_open() */
	enum pmuq_open_status status;
	int errnum;
	char row[ASK_TEXT_BYTES], change[ASK_TEXT_BYTES];
	char reason[ASK_TEXT_BYTES], hint[ASK_TEXT_BYTES];
};

/*
 * All of them from one child. False: this machine does not let the situation be; *ret_why says
 * what. Fails the test when the child dies, or leaves a descriptor open.
 */
bool ask_in(const char *situation, struct paranoid *held, const struct question *questions,
	    size_t n, struct answer *ret, const char **ret_why);

/* Of this machine; NULL: it has no such event. */
struct pmuq_encodings *ask_encode(struct pmuq_source *source, const char *text,
				  enum pmuq_preset preset);

#endif
