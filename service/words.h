/* SPDX-License-Identifier: MIT */
/* The parameters of a call → the command line that they stand for. */
#pragma once

#include "core/text/json_read.h"
#include "core/vec.h"
#include "service/method.h"

struct words {
	PQ_VEC(char *);		/* up to NULL, which is not counted */
	PQ_VEC(char *) printed; /* those that are not texts of the parameters */
};

enum words_result {
	WORDS_OK,
	WORDS_INVALID,	/* a parameter is not known, missing, or of a wrong type */
	WORDS_UNKNOWN,	/* the help of a parameter does not list its value */
	WORDS_EXCLUDED, /* parameters exclude each other */
	WORDS_TOO_MANY, /* a list is longer than the method takes */
};

/* After a failure *ret_parameter is the name of the parameter. Clear *ret in any case. It does not
 * outlive the parameters. */
enum words_result words_read(const struct method *method, const struct pq_json_value *parameters,
			     struct words *ret, struct pmuq_str *ret_parameter);
void words_clear(struct words *words);

/* The name of an option as a parameter, "as_written" for "as-written"; the caller frees it. */
char *words_option_name(enum option option);
