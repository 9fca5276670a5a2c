/* SPDX-License-Identifier: MIT */
/* Seven events, and a CPU with six counters: */
#include <pmuq/pmuq.h>
#include <stdio.h>

static void print(const struct pmuq_fit *fit)
{
	const struct pmuq_fit_set *set;

	for (size_t i = 0; (set = pmuq_fit_get(fit, i)); i++)
		printf("%s: %s, %zu counters\n%s\n%s\n", set->pmu.p,
			   pmuq_fit_status_name(set->counts), set->n_counters,
			   set->reason.p, set->split.p);
}

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *events = NULL;
	struct pmuq_fit *fit = NULL;
	int r = pmuq_source_open_tree("zen3-epyc", &machine, NULL);

	if (r == 0)
		r = pmuq_source_encode(machine, "{r1,r2,r4,r5,r6,r7,r8}", NULL, &events,
							   NULL);
	if (r == 0)
		r = pmuq_source_fit(machine, events, NULL, &fit, NULL);
	if (r == 0)
		print(fit);
	pmuq_fit_free(fit);
	pmuq_encodings_free(events);
	pmuq_source_free(machine);
	return r < 0;
}
