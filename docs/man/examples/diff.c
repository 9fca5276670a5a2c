/* SPDX-License-Identifier: MIT */
/* Print what an upgrade breaks: */
#include <pmuq/pmuq.h>
#include <stdio.h>

static struct pmuq_catalog *read_machine(const char *tree)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_catalog *catalog = NULL;

	if (pmuq_source_open_tree(tree, &machine, NULL) == 0)
		pmuq_source_read_catalog(machine, &catalog, NULL);
	pmuq_source_free(machine);
	return catalog;
}

int main(void)
{
	struct pmuq_catalog *before = read_machine("alderlake-hybrid-k6.12");
	struct pmuq_catalog *after = read_machine("alderlake-hybrid-noatom");
	struct pmuq_diff *diff = NULL;
	size_t n_breaking;

	if (!before || !after ||
		pmuq_catalog_diff(before, after, NULL, &diff, NULL) < 0)
		return 1;
	n_breaking = pmuq_diff_weight_count(diff, PMUQ_WEIGHT_BREAKING);
	for (size_t i = 0; i < n_breaking; i++) {
		const struct pmuq_change *change = pmuq_diff_get(diff, i);
		const char *pmu = change->n_pmus ? change->pmus[0].p : NULL;

		printf("%s: %s\n", pmu ? pmu : "host",
			   pmuq_change_type_name(change->type));
	}
	pmuq_diff_free(diff);
	pmuq_catalog_free(after);
	pmuq_catalog_free(before);
	return 0;
}
