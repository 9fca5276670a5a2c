/* SPDX-License-Identifier: MIT */
/* Read one PMU of a machine, and nothing else: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	const struct pmuq_pmu *pmu = NULL;
	const char *cpuid = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_source_open_tree("skylake-sp", &machine, &error);

	if (r == 0)
		r = pmuq_source_find_pmu(machine, "msr", &pmu, &error);
	if (r == 0)
		r = pmuq_source_find_fact(machine, "cpuid", &cpuid, &error);
	if (r == 0)
		printf("msr: %zu events; the CPU is %s\n",
			   pmu->definition->n_events, cpuid);
	else
		fprintf(stderr, "%s\n", error->message.p);
	pmuq_error_free(error);
	pmuq_source_free(machine);
	return r < 0;
}
