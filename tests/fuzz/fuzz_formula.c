/* SPDX-License-Identifier: MIT */
/*
 * A formula of a metric, after three bytes from which its operands get values. What pmuq's dialect
 * reads, perf's reads, with the same operands; a value that pmuq knows is perf's; an event that is
 * not listed as needed does not change pmuq's value.
 */
#include "core/str.h"
#include "tests/fuzz/fuzz.h"
#include <math.h>
#include <string.h>

#define OPERANDS_MAX 512

/* Small numbers, so that they are often equal, 0 or fractions; some are not known. */
static double number_of(const uint8_t *seed, size_t index)
{
	unsigned choice = (seed[index % 3] >> (index % 5)) + (unsigned)index;

	return choice % 7 == 6 ? NAN : choice % 7 == 5 ? 0.5 : (double)(choice % 7);
}

static size_t fill(const struct pmuq_formula *formula, const uint8_t *seed,
		   struct pmuq_formula_input *ret)
{
	size_t n = pmuq_formula_operand_count(formula);

	for (size_t i = 0; i < n; i++) {
		bool is_event = pmuq_formula_operand(formula, i)->type == PMUQ_OPERAND_EVENT;
		double number = number_of(seed, i);

		ret[i].value = is_event || !isnan(number) ? number : 1;
		ret[i].source_count = ret[i].aggr_nr = number;
	}
	return n;
}

static struct pmuq_formula *parse(const char *text, enum pmuq_dialect dialect)
{
	const struct pmuq_formula_options options = { .size = sizeof(options),
						      .dialect = dialect,
						      .parameter = 3 };
	struct pmuq_formula *formula = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_formula_parse(text, &options, &formula, &error);

	FUZZ_LAW((r < 0) == (formula == NULL) && (r < 0) == (error != NULL));
	if (error && error->input.p)
		FUZZ_LAW(error->offset + error->length <= strlen(text));
	pmuq_error_free(error);
	return formula;
}

static bool is_listed(const struct pmuq_names *names, const char *name)
{
	for (size_t i = 0; i < pmuq_names_count(names); i++)
		if (strcmp(pmuq_names_get(names, i), name) == 0)
			return true;
	return false;
}

static struct pmuq_formula_result evaluate(const struct pmuq_formula *formula,
					   const struct pmuq_formula_input *inputs, size_t n,
					   const char *text)
{
	struct pmuq_formula_result result;

	FUZZ_LAW(pmuq_formula_evaluate(formula, inputs, n, &result, NULL) == 0);
	FUZZ_LAW((result.reason == PMUQ_FORMULA_KNOWN) == (isfinite(result.value) != 0));
	FUZZ_LAW(result.offset + result.length <= strlen(text));
	return result;
}

/* Constants of % are perf's in the list, and may be unknown to pmuq. */
static void law_of_events(const struct pmuq_formula *formula, struct pmuq_formula_input *inputs,
			  size_t n, double value, const char *text)
{
	struct pmuq_names *names = NULL;

	if (strchr(text, '%') || pmuq_formula_list_events(formula, inputs, n, &names, NULL) < 0)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_operand *operand = pmuq_formula_operand(formula, i);

		if (operand->type == PMUQ_OPERAND_EVENT && !is_listed(names, operand->name.p))
			inputs[i] = (struct pmuq_formula_input){ NAN, NAN, NAN };
	}
	FUZZ_LAW(evaluate(formula, inputs, n, text).value == value);
	pmuq_names_free(names);
}

static void law_of_dialects(const struct pmuq_formula *own, const struct pmuq_formula *perf,
			    const uint8_t *seed, const char *text)
{
	struct pmuq_formula_input inputs[OPERANDS_MAX];
	struct pmuq_formula_result result, other;
	size_t n = fill(own, seed, inputs);

	FUZZ_LAW(pmuq_formula_operand_count(perf) == n);
	for (size_t i = 0; i < n; i++)
		FUZZ_LAW(str_eq(pmuq_formula_operand(own, i)->name,
				pmuq_formula_operand(perf, i)->name));
	result = evaluate(own, inputs, n, text);
	if (result.reason != PMUQ_FORMULA_KNOWN)
		return;
	if (pmuq_formula_evaluate(perf, inputs, n, &other, NULL) == 0)
		FUZZ_LAW(other.value == result.value);
	law_of_events(own, inputs, n, result.value, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_formula *own, *perf;
	auto_free char *text = NULL;

	if (size < 3)
		return -1;
	text = fuzz_cstr(data + 3, size - 3);
	own = parse(text, PMUQ_DIALECT_PMUQ);
	perf = parse(text, PMUQ_DIALECT_PERF);
	FUZZ_LAW(!own || perf);
	if (own && pmuq_formula_operand_count(own) <= OPERANDS_MAX)
		law_of_dialects(own, perf, data, text);
	pmuq_formula_free(own);
	pmuq_formula_free(perf);
	return 0;
}
