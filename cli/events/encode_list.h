/* SPDX-License-Identifier: MIT */
/*
 * Encodes a list of event strings, and passes the results on in their order. Two threads work on a
 * long list: each encodes some strings, prints them into a text, and waits for its turn to pass
 * that on.
 */
#pragma once

#include "core/buf.h"
#include <pmuq/pmuq.h>

/* The result of a string: encodings or an error. */
struct encoded {
	struct pmuq_encodings *encodings;
	struct pmuq_error *error;
	struct pmuq_fit *fit; /* NULL: there is no group, or no vendor's table */
};

struct encode_list {
	struct pmuq_source *source; /* nothing else may use it */
	/* The table, if there is one, also has what the members of a group need. */
	const struct pmuq_encode_options *options;
	char *const *texts;
	size_t n;
	bool is_alone; /* no second thread: take() uses the source */

	/* Takes each result, in order, perhaps in the second thread, but never two at a time. It
	 * lives until the call returns. */
	void (*take)(void *of, size_t index, const struct encoded *encoded);
	/* Appends a result to a text instead, while the other thread does the same; `thread` is 0
	 * or 1. Then write() takes the text, in order. NULL: all results are taken. */
	void (*print)(void *of, unsigned thread, size_t index, const struct encoded *encoded,
		      struct pq_buf *text);
	void (*write)(void *of, const struct pq_buf *text);
	void *of;
};

void encode_list(const struct encode_list *list);
