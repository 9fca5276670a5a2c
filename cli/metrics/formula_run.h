/* SPDX-License-Identifier: MIT */
/* Evaluates one formula with named values, and prints the result as a row of a document. */
#pragma once

#include "cli/output/document.h"
#include "core/vec.h"
#include <pmuq/pmuq.h>

struct named_value {
	const char *name; /* of a literal: with its #, in lower case */
	struct pmuq_formula_input input;
};

/* Another metric that formulas may name. */
struct named_formula {
	const char *name, *text;
	bool is_known; /* it was evaluated, or is being evaluated */
	double value;
};

/* A formula and what it is evaluated with; texts are the caller's. */
struct formula_run {
	const char *text;
	const char *where; /* "FILE:LINE"; NULL: the command line */
	const char *cpuid; /* NULL: not known */
	struct pmuq_formula_options options;
	PQ_VEC(struct named_value) values; /* of two with one name the last one is used */
	PQ_VEC(struct named_formula) formulas;

	/* Set by formula_run(). */
	struct pmuq_error *error; /* NULL: it could be evaluated */
	struct pmuq_formula_result result;
	struct pmuq_names *events; /* that must be counted */
};

/* Fails only without memory. */
void formula_run(struct formula_run *run);
/* Frees what formula_run() made, and the arrays. */
void formula_run_clear(struct formula_run *run);

/* "the divisor is 0"; NULL if the result is known. */
const char *formula_reason_text(enum pmuq_formula_reason reason);
extern const struct document_type metric_document;
