/* SPDX-License-Identifier: MIT */
/*
 * The value of a formula. perf's dialect is C on doubles, with NaN for what is not known, also
 * where that hides it (docs/metrics.md); in pmuq's, what is not known makes everything unknown that
 * depends on it.
 */
#include "core/limits.h"
#include "metric/formula.h"
#include <math.h>

/* A value, and the operation that made it unknown. */
struct value {
	double number;
	uint32_t cause;
};

/* What an operation needs besides its values. */
struct step {
	const struct pmuq_formula *formula;
	const struct pmuq_formula_input *inputs;
	uint32_t index; /* of the operation */
};

static bool is_known(struct value value)
{
	return isfinite(value.number);
}

static double truth(bool holds)
{
	return holds ? 1 : 0;
}

bool pq_is_bad_remainder(double left, double right)
{
	/* The last one would overflow, like the division by 0. */
	return fabs(right) < 1 || (left <= -0x1p63 && right > -2 && right <= -1);
}

/* Without its fraction. */
static bool fits_long(double number)
{
	return number >= -0x1p63 && number < 0x1p63;
}

/* A double as a long of x86: what does not fit is the lowest one. */
static int64_t as_long(double number)
{
	return fits_long(number) ? (int64_t)number : INT64_MIN;
}

double pq_remainder(double left, double right)
{
	int64_t divisor = as_long(right);

	return divisor == -1 ? 0 : (double)(as_long(left) % divisor);
}

int pq_fail_remainder(const struct pmuq_formula *formula, const struct pq_formula_op *op,
		      struct pmuq_error **reterr)
{
	int r = pq_fail_span(reterr, op->at, PMUQ_E_BAD_FORMULA,
			     "the right side of %% is 0 or a fraction below 1");

	pq_error_input(reterr, formula->text);
	return r;
}

int pq_formula_check_inputs(const struct pmuq_formula *formula, size_t n,
			    struct pmuq_error **reterr)
{
	if (n == formula->names.n)
		return 0;
	return pq_fail(reterr, PMUQ_E_BAD_CALL, "the formula has %zu names, not %zu",
		       formula->names.n, n);
}

/* An unknown value of this operation. */
static struct value unknown(const struct step *step)
{
	return (struct value){ NAN, step->index };
}

/* A number, which this operation made unknown if it is not finite. */
static struct value number(const struct step *step, double number)
{
	return (struct value){ number, step->index };
}

static struct value first_unknown(struct value a, struct value b)
{
	return is_known(a) ? b : a;
}

/* ---- the same in both dialects */

/* One side may decide alone: 0 & x, 1 | x. If it does not, the result is that of both. */
static struct value both(const struct step *step, struct value a, struct value b, bool is_or)
{
	if (is_known(a) && is_known(b))
		return number(step, truth(pq_both_hold(a.number, b.number, is_or)));
	if (is_known(a) && (a.number != 0) == is_or)
		return number(step, truth(is_or));
	if (is_known(b) && (b.number != 0) == is_or)
		return number(step, truth(is_or));
	return first_unknown(a, b);
}

static struct value compute(const struct step *step, enum pq_op type, struct value a,
			    struct value b)
{
	switch (type) {
	case PQ_OP_LESS:
		return number(step, truth(a.number < b.number));
	case PQ_OP_MORE:
		return number(step, truth(a.number > b.number));
	case PQ_OP_ADD:
		return number(step, a.number + b.number);
	case PQ_OP_SUBTRACT:
		return number(step, a.number - b.number);
	case PQ_OP_MULTIPLY:
		return number(step, a.number * b.number);
	default:
		return number(step, a.number / b.number);
	}
}

/* ---- perf */

static struct value perf_binary(const struct step *step, enum pq_op type, struct value a,
				struct value b)
{
	switch (type) {
	case PQ_OP_OR:
	case PQ_OP_AND:
		return both(step, a, b, type == PQ_OP_OR);
	case PQ_OP_XOR:
		if (!is_known(a) || !is_known(b))
			return (struct value){ NAN, first_unknown(a, b).cause };
		return number(step, truth((a.number != 0) != (b.number != 0)));
	case PQ_OP_REMAINDER:
		return number(step, pq_remainder(a.number, b.number));
	case PQ_OP_MIN:
		return a.number < b.number ? a : b;
	case PQ_OP_MAX:
		return a.number > b.number ? a : b;
	default:
		break;
	}
	if ((type == PQ_OP_DIVIDE || type == PQ_OP_D_RATIO) && b.number == 0)
		return type == PQ_OP_DIVIDE ? unknown(step) : number(step, 0);
	if (isnan(a.number) || isnan(b.number))
		return isnan(a.number) ? a : b;
	return compute(step, type, a, b);
}

/* ---- pmuq */

static struct value own_binary(const struct step *step, enum pq_op type, struct value a,
			       struct value b)
{
	if (type == PQ_OP_OR || type == PQ_OP_AND)
		return both(step, a, b, type == PQ_OP_OR);
	if (type == PQ_OP_D_RATIO && b.number == 0)
		return number(step, 0);
	if (!is_known(a) || !is_known(b))
		return first_unknown(a, b);
	switch (type) {
	case PQ_OP_XOR:
		return number(step, truth((a.number != 0) != (b.number != 0)));
	case PQ_OP_REMAINDER:
		return fits_long(a.number) && fits_long(b.number) && fabs(b.number) >= 1
			       ? number(step, pq_remainder(a.number, b.number))
			       : unknown(step);
	case PQ_OP_MIN:
		return a.number < b.number ? a : b;
	case PQ_OP_MAX:
		return a.number > b.number ? a : b;
	default:
		break;
	}
	if (type == PQ_OP_DIVIDE && b.number == 0)
		return unknown(step);
	return compute(step, type, a, b);
}

/* ---- both */

static struct value choose(const struct step *step, struct value yes, struct value condition,
			   struct value no)
{
	/* Equal numbers: the condition does not matter, and needs no count (list_events.c). */
	if (step->formula->dialect == PMUQ_DIALECT_PMUQ && !is_known(condition))
		return is_known(yes) && yes.number == no.number ? yes : condition;
	return condition.number == 0 ? no : yes;
}

static struct value leaf(const struct step *step, const struct pq_formula_op *op)
{
	switch (op->type) {
	case PQ_OP_NAME:
		return number(step, step->inputs[op->name].value);
	case PQ_OP_SOURCE_COUNT:
		return number(step, step->inputs[op->name].source_count);
	case PQ_OP_AGGR_NR:
		return number(step, step->inputs[op->name].aggr_nr);
	default:
		return number(step, op->number);
	}
}

static enum pmuq_formula_reason reason_of(const struct pq_formula_op *op, double value)
{
	switch (op->type) {
	case PQ_OP_NUMBER:
		return PMUQ_FORMULA_NAN;
	case PQ_OP_NAME:
	case PQ_OP_SOURCE_COUNT:
	case PQ_OP_AGGR_NR:
		return isnan(value) ? PMUQ_FORMULA_NOT_COUNTED : PMUQ_FORMULA_TOO_LARGE;
	case PQ_OP_DIVIDE:
		return isnan(value) ? PMUQ_FORMULA_DIVIDED_BY_0 : PMUQ_FORMULA_TOO_LARGE;
	case PQ_OP_REMAINDER:
		return PMUQ_FORMULA_BAD_REMAINDER;
	default:
		return PMUQ_FORMULA_TOO_LARGE;
	}
}

/* An infinite value is not a result of pmuq. */
static struct pmuq_formula_result make_result(const struct pmuq_formula *formula,
					      struct value value)
{
	const struct pq_formula_op *op = &formula->ops.v[value.cause];

	if (is_known(value))
		return (struct pmuq_formula_result){ .value = value.number };
	return (struct pmuq_formula_result){
		.value = formula->dialect == PMUQ_DIALECT_PERF ? value.number : NAN,
		.reason = reason_of(op, value.number),
		.offset = op->at.offset,
		.length = op->at.length,
	};
}

PQ_API int pmuq_formula_evaluate(const struct pmuq_formula *formula,
				 const struct pmuq_formula_input *inputs, size_t n,
				 struct pmuq_formula_result *ret, struct pmuq_error **reterr)
{
	bool is_perf = formula->dialect == PMUQ_DIALECT_PERF;
	struct value values[PQ_FORMULA_VALUES_MAX], *top = values;
	struct step step = { formula, inputs, 0 };
	int r = pq_formula_check_inputs(formula, n, reterr);

	if (r < 0)
		return r;
	for (; step.index < formula->ops.n; step.index++) {
		const struct pq_formula_op *op = &formula->ops.v[step.index];

		top -= pq_op_takes(op->type);
		if (op->type < PQ_OP_MINUS)
			*top = leaf(&step, op);
		else if (op->type == PQ_OP_MINUS)
			top->number = -top->number;
		else if (op->type == PQ_OP_IF)
			*top = choose(&step, top[0], top[1], top[2]);
		else if (!is_perf)
			*top = own_binary(&step, op->type, top[0], top[1]);
		else if (op->type == PQ_OP_REMAINDER &&
			 pq_is_bad_remainder(top[0].number, top[1].number))
			return pq_fail_remainder(formula, op, reterr);
		else
			*top = perf_binary(&step, op->type, top[0], top[1]);
		top++;
	}
	*ret = make_result(formula, values[0]);
	return 0;
}
