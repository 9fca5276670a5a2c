/* SPDX-License-Identifier: MIT */
/* The forms of results of event strings: begin, result by result, end. */
#ifndef PQ_CLI_ENCODE_FORMS_H
#define PQ_CLI_ENCODE_FORMS_H

#include "cli/events/encode_output.h"

enum encode_form {
	ENCODE_TEXT,
	ENCODE_DOCUMENT, /* see document_form */
	ENCODE_C,
	ENCODE_HEX,
	ENCODE_BYTES,
};

/* Zeroed but for the first four, then encode_begin(). */
struct encode_output {
	const struct command *command;
	const struct result_type *type;
	enum encode_form form;
	enum document_form document_form;
	size_t n_results;
	enum status status; /* of the writing itself */
	struct document document;
	struct encode_c c;
};

enum status encode_begin(struct encode_output *output);
void encode_print(struct encode_output *output, const struct result *result);
/* Frees. */
enum status encode_end(struct encode_output *output);

#endif
