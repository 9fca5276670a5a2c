/* SPDX-License-Identifier: MIT */
/*
 * Opens events on the running kernel, through the public API, from a child in some situation. The
 * parent encoded them before: the situation decides which events open, not which are tried.
 */
#pragma once

#include "tests/kernel/paranoid.h"
#include <pmuq/pmuq.h>

#define CHILD_TEXT_BYTES 512

struct child_open {
	const struct pmuq_encodings *encodings;
	const struct pmuq_open_options *options; /* NULL: the defaults */
	size_t index;				 /* of the result */
};

/* An open result; "" for a missing text. */
struct child_result {
	int r; /* of pmuq_encodings_test_open() */
	enum pmuq_open_status status;
	int errnum;
	char row[CHILD_TEXT_BYTES], change[CHILD_TEXT_BYTES];
	char reason[CHILD_TEXT_BYTES], hint[CHILD_TEXT_BYTES];
};

/* Starts a child that opens all of them. Several children may do so at the same time. */
struct child_opener *child_open_start(const char *situation, struct paranoid *held,
				      const struct child_open *opens, size_t n);

/*
 * Waits for it. False: the situation is not possible on this machine; *ret_why is the reason. Fails
 * the test if the child dies or leaves a descriptor open.
 */
bool child_open_finish(struct child_opener *opener, struct child_result *ret, const char **ret_why);

/* For this machine; NULL: it does not have the event. */
struct pmuq_encodings *child_open_encode(struct pmuq_source *source, const char *text,
					 enum pmuq_preset preset);
