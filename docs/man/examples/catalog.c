/* SPDX-License-Identifier: MIT */
/* Read a whole machine; any number of threads may then use it: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_catalog *catalog = NULL;
	const struct pmuq_pmu *pmu;
	int r = pmuq_source_open_tree("skylake-sp", &machine, NULL);

	if (r == 0)
		r = pmuq_source_read_catalog(machine, &catalog, NULL);
	pmuq_source_free(machine);
	if (r < 0)
		return 1;
	printf("%zu PMUs\n", pmuq_catalog_machine(catalog)->n_pmus);
	pmu = pmuq_catalog_find_pmu(catalog, "uncore_imc_0");
	for (size_t i = 0; i < pmu->definition->n_formats; i++)
		printf("%s: %s\n", pmuq_pmu_format(pmu, i)->name.p,
			   pmuq_pmu_format(pmu, i)->text.p);
	pmuq_catalog_free(catalog);
	return 0;
}
