/* SPDX-License-Identifier: MIT */
/* Which PMUs does this machine have, and how many events has each? */
#include <pmuq/pmuq.h>
#include <stdio.h>

static int fail(struct pmuq_error *error)
{
	fprintf(stderr, "%s\n", error->message.p);
	pmuq_error_free(error);
	return 1;
}

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_source_open_live(&machine, &error) < 0)
		return fail(error);
	if (pmuq_source_read_catalog(machine, &catalog, &error) < 0) {
		pmuq_source_free(machine);
		return fail(error);
	}
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		printf("%-20s type %-3u %zu events, on CPUs %s\n", pmu->name.p, pmu->type,
		       pmu->definition->n_events, pmu->cpus.p);
	}
	pmuq_catalog_free(catalog);
	pmuq_source_free(machine);
	return 0;
}
