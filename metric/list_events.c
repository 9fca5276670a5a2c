/* SPDX-License-Identifier: MIT */
/*
 * The events that can change the value: the formula is carried out with what is known before
 * anything is counted. An operand that cannot matter (of "0 & x", the branch that is not taken)
 * loses its events: they are in the operations between the first and the last one of the operand.
 * min and max keep both sides, and "x - x" is not seen, as in perf.
 */
#include "core/catalog/source_names.h"
#include "core/freep.h"
#include "core/limits.h"
#include "metric/formula.h"
#include <math.h>
#include <stdlib.h>

/* A value (not finite: it depends on a count), and the operations [from, until) of it. */
struct part {
	double number;
	size_t from, until;
};

struct needs {
	const struct pmuq_formula *formula;
	bool *is_dropped; /* for each operation */
};

static bool is_fixed(struct part part)
{
	return isfinite(part.number);
}

static void drop(struct needs *needs, struct part part)
{
	memset(needs->is_dropped + part.from, true, part.until - part.from);
}

/* What remains is the value of one part, or a number. */
static double keep(struct needs *needs, struct part kept, struct part dropped)
{
	drop(needs, dropped);
	return kept.number;
}

static double keep_none(struct needs *needs, struct part a, struct part b, double number)
{
	drop(needs, a);
	drop(needs, b);
	return number;
}

static double logic(struct needs *needs, struct part a, struct part b, bool is_or)
{
	if (is_fixed(a) && is_fixed(b))
		return pq_both_hold(a.number, b.number, is_or) ? 1 : 0;
	if (is_fixed(a))
		return (a.number != 0) == is_or ? keep_none(needs, a, b, is_or ? 1 : 0)
						: keep(needs, b, a);
	if (is_fixed(b))
		return (b.number != 0) == is_or ? keep_none(needs, a, b, is_or ? 1 : 0)
						: keep(needs, a, b);
	return NAN;
}

static double arithmetic(enum pq_op type, double a, double b)
{
	switch (type) {
	case PQ_OP_XOR:
		return (a != 0) != (b != 0);
	case PQ_OP_LESS:
		return a < b;
	case PQ_OP_MORE:
		return a > b;
	case PQ_OP_ADD:
		return a + b;
	case PQ_OP_SUBTRACT:
		return a - b;
	case PQ_OP_MULTIPLY:
		return a * b;
	case PQ_OP_REMAINDER:
		return pq_remainder(a, b);
	default:
		return a / b;
	}
}

static double binary(struct needs *needs, enum pq_op type, struct part a, struct part b)
{
	if (type == PQ_OP_OR || type == PQ_OP_AND)
		return logic(needs, a, b, type == PQ_OP_OR);
	if (type == PQ_OP_MIN || type == PQ_OP_MAX)
		return NAN;
	if ((type == PQ_OP_DIVIDE || type == PQ_OP_D_RATIO) && b.number == 0)
		return keep_none(needs, a, b, type == PQ_OP_DIVIDE ? NAN : 0);
	return is_fixed(a) && is_fixed(b) ? arithmetic(type, a.number, b.number) : NAN;
}

static double choose(struct needs *needs, struct part yes, struct part condition, struct part no)
{
	if (condition.number == 0) {
		drop(needs, yes);
		return keep(needs, no, condition);
	}
	if (is_fixed(condition)) {
		drop(needs, no);
		return keep(needs, yes, condition);
	}
	/* Equal numbers: the condition does not matter. */
	return yes.number == no.number ? keep_none(needs, condition, no, yes.number) : NAN;
}

/* Names that are not events are known. */
static double leaf(const struct needs *needs, const struct pq_formula_op *op,
		   const struct pmuq_formula_input *inputs)
{
	if (op->type == PQ_OP_NUMBER)
		return op->number;
	return needs->formula->names.v[op->name].type == PMUQ_OPERAND_EVENT
		       ? NAN
		       : inputs[op->name].value;
}

static int run(struct needs *needs, const struct pmuq_formula_input *inputs,
	       struct pmuq_error **reterr)
{
	struct part parts[PQ_FORMULA_VALUES_MAX], *top = parts;

	for (size_t i = 0; i < needs->formula->ops.n; i++) {
		const struct pq_formula_op *op = &needs->formula->ops.v[i];

		top -= pq_op_takes(op->type);
		if (op->type < PQ_OP_MINUS)
			*top = (struct part){ leaf(needs, op, inputs), i, i };
		else if (op->type == PQ_OP_MINUS)
			top->number = -top->number;
		else if (op->type == PQ_OP_IF)
			top->number = choose(needs, top[0], top[1], top[2]);
		else if (op->type == PQ_OP_REMAINDER &&
			 (top[1].number == 0 ||
			  (is_fixed(top[0]) && pq_is_bad_remainder(top[0].number, top[1].number))))
			return pq_fail_remainder(needs->formula, op, reterr);
		else
			top->number = binary(needs, op->type, top[0], top[1]);
		top->until = i + 1;
		top++;
	}
	return 0;
}

/* Adds the events of what was not dropped. */
static int add_events(const struct needs *needs, struct pmuq_names *ret, struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < needs->formula->ops.n; i++) {
		const struct pq_formula_op *op = &needs->formula->ops.v[i];
		const struct pmuq_operand *name;

		if (op->type >= PQ_OP_MINUS || op->type == PQ_OP_NUMBER || needs->is_dropped[i])
			continue;
		name = &needs->formula->names.v[op->name];
		if (name->type == PMUQ_OPERAND_EVENT)
			r = pq_names_add(ret, name->name, reterr);
	}
	pq_names_sort(ret);
	return r;
}

PQ_API int pmuq_formula_list_events(const struct pmuq_formula *formula,
				    const struct pmuq_formula_input *inputs, size_t n,
				    struct pmuq_names **ret, struct pmuq_error **reterr)
{
	auto_free bool *is_dropped = calloc(formula->ops.n + 1, sizeof(*is_dropped));
	cleanup(pmuq_names_freep) struct pmuq_names *names = pq_names_new();
	struct needs needs = { formula, is_dropped };
	int r = pq_formula_check_inputs(formula, n, reterr);

	if (r < 0)
		return r;
	if (!is_dropped || !names)
		return pq_fail_memory(reterr);
	r = run(&needs, inputs, reterr);
	if (r == 0)
		r = add_events(&needs, names, reterr);
	if (r < 0)
		return r;
	*ret = move(names);
	return 0;
}
