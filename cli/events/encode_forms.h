/* SPDX-License-Identifier: MIT */
/* The forms that answers to event strings have, behind one door: begin, answer by answer, end. */
#ifndef PQ_CLI_ENCODE_FORMS_H
#define PQ_CLI_ENCODE_FORMS_H

#include "cli/events/encode_output.h"
#include "cli/output/document.h"

enum form {
	FORM_TEXT,
	FORM_JSON,
	FORM_JSONL,
	FORM_YAML,
	FORM_C,
	FORM_HEX,
	FORM_RAW,
};

/* Zeroed but for these three, then output_begin(). */
struct output {
	const struct command *command;
	const struct answer_kind *kind;
	enum form form;
	size_t n_answers;
	int status; /* what went wrong with the writing itself */
	struct document document;
	struct encode_c c;
};

/* Answers a status; other than STATUS_OK, all is over and has been reported. */
int output_begin(struct output *output);
void output_answer(struct output *output, const struct answer *answer);
/* Answers a status, and frees. */
int output_end(struct output *output);

#endif
