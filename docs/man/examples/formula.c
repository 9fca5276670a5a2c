/* SPDX-License-Identifier: MIT */
/* Compute a metric from two counts; one of them is 0. */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	static const struct pmuq_formula_input counts[] = {
		{ .value = 3e9 },
		{ .value = 2e9 },
		{ .value = 0 },
	};
	struct pmuq_formula *formula = NULL;
	struct pmuq_formula_result result;
	int r = pmuq_formula_parse("instructions / cycles + hits / misses",
							   NULL, &formula, NULL);

	for (size_t i = 0; r == 0 && i < pmuq_formula_operand_count(formula); i++)
		puts(pmuq_formula_operand(formula, i)->name.p);
	pmuq_formula_free(formula);
	r = pmuq_formula_parse("instructions / cycles + cycles / misses", NULL,
						   &formula, NULL);
	if (r == 0)
		r = pmuq_formula_evaluate(formula, counts, 3, &result, NULL);
	if (r == 0)
		printf("%g, reason %d at byte %u\n", result.value, result.reason,
			   result.offset);
	pmuq_formula_free(formula);
	return r < 0;
}
