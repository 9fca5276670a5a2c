/* SPDX-License-Identifier: MIT */
/* Errors, warnings and problems as records: they look the same in every document. */
#pragma once

#include "cli/output/record.h"
#include <pmuq/pmuq.h>

/* An error or a warning, and the origin of the text that it is about. */
struct shown_error {
	const struct pmuq_error *error;
	const char *input; /* the text of the offset, unless the error contains another one */
	const char *file;  /* that contains the input; NULL: the command line */
	size_t line;	   /* 0: `file` is "FILE:LINE" */
};

/* The name of an errno as a word of a field; NULL of 0. */
const char *errno_word(unsigned errnum);

/* Of struct shown_error. */
extern const struct record_type error_record;
/* Of struct pmuq_problem: a file that could not be read or understood. */
extern const struct record_type problem_record;
