/* SPDX-License-Identifier: MIT */
/*
 * A formula of a metric: parsing it, evaluating it against the same expression in C, and listing its
 * events.
 */
#include "tests/bench/bench.h"
#include <pmuq/pmuq.h>

#define ROUNDS 41
#define CALLS 2000

/* As long as that of tma_backend_bound of a Skylake-SP with the metrics that it names. */
static const char text[] =
	"1 - (IDQ_UOPS_NOT_DELIVERED.CORE / (4 * (CPU_CLK_UNHALTED.THREAD_ANY / 2 if #smt_on else "
	"CPU_CLK_UNHALTED.THREAD)) + (UOPS_ISSUED.ANY - UOPS_RETIRED.RETIRE_SLOTS + 4 * "
	"(INT_MISC.RECOVERY_CYCLES_ANY / 2 if #smt_on else INT_MISC.RECOVERY_CYCLES)) / (4 * "
	"(CPU_CLK_UNHALTED.THREAD_ANY / 2 if #smt_on else CPU_CLK_UNHALTED.THREAD)) + "
	"UOPS_RETIRED.RETIRE_SLOTS / (4 * (CPU_CLK_UNHALTED.THREAD_ANY / 2 if #smt_on else "
	"CPU_CLK_UNHALTED.THREAD)))";

enum { CORE, ANY, SMT, THREAD, ISSUED, RETIRED, RECOVERY_ANY, RECOVERY, OPERANDS };

static const struct pmuq_formula_input inputs[OPERANDS] = {
	[CORE] = { 3e8, 1, 1 },		[ANY] = { 2e9, 1, 1 },	   [SMT] = { 1, 1, 1 },
	[THREAD] = { 1e9, 1, 1 },	[ISSUED] = { 2.5e9, 1, 1 }, [RETIRED] = { 2.4e9, 1, 1 },
	[RECOVERY_ANY] = { 4e7, 1, 1 }, [RECOVERY] = { 3e7, 1, 1 },
};

static struct pmuq_formula *parse(void)
{
	struct pmuq_formula *formula = NULL;

	if (pmuq_formula_parse(text, NULL, &formula, NULL) < 0 ||
	    pmuq_formula_operand_count(formula) != OPERANDS)
		bench_die("parse");
	return formula;
}

/* The compiler does not know the values. */
static double in_c(const volatile struct pmuq_formula_input *v)
{
	double clocks = v[SMT].value != 0 ? v[ANY].value / 2 : v[THREAD].value;
	double recovery = v[SMT].value != 0 ? v[RECOVERY_ANY].value / 2 : v[RECOVERY].value;

	return 1 - (v[CORE].value / (4 * clocks) +
		    (v[ISSUED].value - v[RETIRED].value + 4 * recovery) / (4 * clocks) +
		    v[RETIRED].value / (4 * clocks));
}

static double time_parse(void)
{
	double start = bench_now_us();

	for (unsigned i = 0; i < CALLS; i++)
		pmuq_formula_free(parse());
	return (bench_now_us() - start) / CALLS;
}

static double time_evaluate(const struct pmuq_formula *formula, double *ret)
{
	double start = bench_now_us();
	struct pmuq_formula_result result = { 0 };

	for (unsigned i = 0; i < CALLS; i++)
		if (pmuq_formula_evaluate(formula, inputs, OPERANDS, &result, NULL) < 0)
			bench_die("evaluate");
	*ret = result.value;
	return (bench_now_us() - start) / CALLS;
}

static double time_c(double *ret)
{
	double start = bench_now_us();

	for (unsigned i = 0; i < CALLS; i++)
		*ret = in_c(inputs);
	return (bench_now_us() - start) / CALLS;
}

static double time_list(const struct pmuq_formula *formula)
{
	double start = bench_now_us();

	for (unsigned i = 0; i < CALLS; i++) {
		struct pmuq_names *names = NULL;

		if (pmuq_formula_list_events(formula, inputs, OPERANDS, &names, NULL) < 0)
			bench_die("list");
		pmuq_names_free(names);
	}
	return (bench_now_us() - start) / CALLS;
}

int main(void)
{
	struct pmuq_formula *formula = parse();
	double parsed = 0, evaluated = 0, in_c_us = 0, listed = 0, ours, floor;

	for (unsigned i = 0; i < ROUNDS; i++) {
		parsed = bench_best(parsed, time_parse());
		evaluated = bench_best(evaluated, time_evaluate(formula, &ours));
		in_c_us = bench_best(in_c_us, time_c(&floor));
		listed = bench_best(listed, time_list(formula));
	}
	if (ours != floor)
		bench_die("the values differ");
	bench_figure("parse a formula of 500 bytes", "us", parsed);
	bench_line("evaluate it", "ns", evaluated * 1e3, in_c_us * 1e3);
	bench_figure("list its events", "us", listed);
	pmuq_formula_free(formula);
	return 0;
}
