/* SPDX-License-Identifier: MIT */
/*
 * Encodes a long list of event strings in a second thread, some strings ahead of the caller, who
 * prints the results in their order. Encoding takes about as long as printing.
 */
#pragma once

#include <pmuq/pmuq.h>

struct encode_ahead;

/* The result of a string: encodings or an error. */
struct encoded {
	struct pmuq_encodings *encodings;
	struct pmuq_error *error;
	struct pmuq_fit *fit; /* NULL: there is no group, or no vendor's table */
};

/* Encodes a string; the table, if there is one, also has what the members of a group need. */
void encoded_make(struct pmuq_source *source, const char *text,
		  const struct pmuq_encode_options *options, struct encoded *ret);
void encoded_clear(struct encoded *encoded);

/* Begins with the first of n strings. Until encode_ahead_free(), nothing else may use the source.
 * NULL: the list is too short, there is one CPU only, or there is no thread. */
struct encode_ahead *encode_ahead_start(struct pmuq_source *source,
					const struct pmuq_encode_options *options,
					char *const *texts, size_t n);
/* The result of the next string; it lives until the next call. Call it once for each string. */
const struct encoded *encode_ahead_next(struct encode_ahead *ahead);
/* After the last string, or before: the thread ends when it has encoded a few more. */
void encode_ahead_free(struct encode_ahead *ahead);
