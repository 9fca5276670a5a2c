/* SPDX-License-Identifier: MIT */
/*
 * A formula: operations in postfix order, each with its place in the text. "a if c else b" is a, c,
 * b, IF: all of them are always carried out, as in perf.
 */
#pragma once

#include "core/arena.h"
#include "core/error.h"
#include "core/vec.h"
#include <pmuq/formula.h>

enum pq_op {
	/* These push a value. */
	PQ_OP_NUMBER,
	PQ_OP_NAME,
	PQ_OP_SOURCE_COUNT,
	PQ_OP_AGGR_NR,
	/* This changes the last one. */
	PQ_OP_MINUS,
	/* These take two and push one. */
	PQ_OP_OR,
	PQ_OP_XOR,
	PQ_OP_AND,
	PQ_OP_LESS,
	PQ_OP_MORE,
	PQ_OP_ADD,
	PQ_OP_SUBTRACT,
	PQ_OP_MULTIPLY,
	PQ_OP_DIVIDE,
	PQ_OP_REMAINDER,
	PQ_OP_MIN,
	PQ_OP_MAX,
	PQ_OP_D_RATIO,
	/* Takes three. */
	PQ_OP_IF,
};

/* The number of values that it takes. */
static inline unsigned pq_op_takes(enum pq_op type)
{
	return type < PQ_OP_MINUS ? 0 : type == PQ_OP_MINUS ? 1 : type == PQ_OP_IF ? 3 : 2;
}

struct pq_formula_op {
	enum pq_op type;
	struct pq_span at;
	uint32_t name; /* its index */
	double number;
};

struct pmuq_formula {
	struct pq_arena arena;
	struct pmuq_str text;
	enum pmuq_dialect dialect;
	PQ_VEC(struct pq_formula_op) ops;
	PQ_VEC(struct pmuq_operand) names;
};

/* `|` or `&` of two known values. */
static inline bool pq_both_hold(double a, double b, bool is_or)
{
	return is_or ? a != 0 || b != 0 : a != 0 && b != 0;
}

/* A right side of % with which perf fails or crashes. */
bool pq_is_bad_remainder(double left, double right);
/* left % right as perf computes it; not for a bad one. */
double pq_remainder(double left, double right);
int pq_fail_remainder(const struct pmuq_formula *formula, const struct pq_formula_op *op,
		      struct pmuq_error **reterr);
/* A part of the text. */
static inline struct pmuq_str pq_formula_text(const struct pmuq_formula *formula, uint32_t offset,
					      uint32_t length)
{
	return str_part(formula->text, offset, offset + length);
}
/* Whether the caller gave as many inputs as the formula has names. */
int pq_formula_check_inputs(const struct pmuq_formula *formula, size_t n,
			    struct pmuq_error **reterr);
