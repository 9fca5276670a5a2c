/* SPDX-License-Identifier: MIT */
#include "cli/metrics/formula_run.h"
#include "cli/or_die.h"
#include "core/freep.h"
#include <math.h>
#include <string.h>

static const struct pmuq_formula_input not_known = { NAN, NAN, NAN };

static const struct named_value *find_value(const struct formula_run *run, const char *name)
{
	for (size_t i = run->values.n; i-- > 0;)
		if (strcmp(run->values.v[i].name, name) == 0)
			return &run->values.v[i];
	return NULL;
}

static struct named_formula *find_formula(struct formula_run *run, const char *name)
{
	for (size_t i = 0; i < run->formulas.n; i++)
		if (strcmp(run->formulas.v[i].name, name) == 0)
			return &run->formulas.v[i];
	return NULL;
}

static struct pmuq_formula_input input_of(struct formula_run *run, const struct pmuq_operand *name);

static struct pmuq_formula_input *make_inputs(struct formula_run *run,
					      const struct pmuq_formula *formula)
{
	size_t n = pmuq_formula_operand_count(formula);
	struct pmuq_formula_input *inputs = or_die(calloc(n + 1, sizeof(*inputs)));

	for (size_t i = 0; i < n; i++)
		inputs[i] = input_of(run, pmuq_formula_operand(formula, i));
	return inputs;
}

/* One that cannot be evaluated is not known; so is one that names itself, but perf's are 0. */
static double value_of(struct formula_run *run, struct named_formula *named)
{
	cleanup(pmuq_formula_freep) struct pmuq_formula *formula = NULL;
	auto_free struct pmuq_formula_input *inputs = NULL;
	struct pmuq_formula_result result = { .value = NAN };

	if (named->is_known)
		return named->value;
	named->is_known = true;
	named->value = run->options.dialect == PMUQ_DIALECT_PERF ? 0 : NAN;
	if (optional_or_die(pmuq_formula_parse(named->text, &run->options, &formula, NULL)) == 0) {
		inputs = make_inputs(run, formula);
		pmuq_formula_evaluate(formula, inputs, pmuq_formula_operand_count(formula), &result,
				      NULL);
	}
	named->value = result.value;
	return named->value;
}

static struct pmuq_formula_input fact(bool holds)
{
	return (struct pmuq_formula_input){ holds ? 1 : 0, 1, 1 };
}

/* A metric hides an event of its name. */
static struct pmuq_formula_input input_of(struct formula_run *run, const struct pmuq_operand *name)
{
	auto_free char *literal = print_or_die("#%s", name->name.p);
	struct named_formula *formula = find_formula(run, name->name.p);
	const struct named_value *value =
		find_value(run, name->type == PMUQ_OPERAND_LITERAL ? literal : name->name.p);
	bool is_cpu = false;

	switch (name->type) {
	case PMUQ_OPERAND_HAS_EVENT:
		return fact(value || formula);
	case PMUQ_OPERAND_CPU:
		if (!run->cpuid)
			return not_known;
		optional_or_die(pmuq_formula_matches_cpu(name->name.p, run->cpuid, &is_cpu, NULL));
		return fact(is_cpu);
	case PMUQ_OPERAND_EVENT:
		if (formula)
			return (struct pmuq_formula_input){ value_of(run, formula), 1, 1 };
		break;
	case PMUQ_OPERAND_LITERAL:
		break;
	}
	return value ? value->input : not_known;
}

void formula_run(struct formula_run *run)
{
	cleanup(pmuq_formula_freep) struct pmuq_formula *formula = NULL;
	auto_free struct pmuq_formula_input *inputs = NULL;
	size_t n;
	int r = optional_or_die(
		pmuq_formula_parse(run->text, &run->options, &formula, &run->error));

	if (r < 0)
		return;
	n = pmuq_formula_operand_count(formula);
	inputs = make_inputs(run, formula);
	r = optional_or_die(pmuq_formula_evaluate(formula, inputs, n, &run->result, &run->error));
	if (r == 0)
		optional_or_die(
			pmuq_formula_list_events(formula, inputs, n, &run->events, &run->error));
}

void formula_run_clear(struct formula_run *run)
{
	pmuq_error_free(run->error);
	pmuq_names_free(run->events);
	pq_vec_free(&run->values);
	pq_vec_free(&run->formulas);
}

const char *formula_reason_text(enum pmuq_formula_reason reason)
{
	static const char *const texts[] = {
		[PMUQ_FORMULA_NOT_COUNTED] = "this has no value",
		[PMUQ_FORMULA_DIVIDED_BY_0] = "the divisor is 0",
		[PMUQ_FORMULA_TOO_LARGE] = "the value is too large for a double",
		[PMUQ_FORMULA_BAD_REMAINDER] = "a side of % is above 2^63, or the right below 1",
		[PMUQ_FORMULA_NAN] = "the formula contains NaN",
	};

	return reason < COUNT(texts) ? texts[reason] : NULL;
}
