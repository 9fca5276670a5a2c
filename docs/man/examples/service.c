/* SPDX-License-Identifier: MIT */
/* Use the machine of a daemon if there is one, or else read it: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_error *error = NULL;
	const struct pmuq_pmu *pmu;
	int r = pmuq_source_open_service("/nonexistent/io.pmuq", &machine, &error);

	if (r == -PMUQ_E_NO_SERVICE) {
		printf("%s\n", error->message.p);
		pmuq_error_free(error);
		r = pmuq_source_open_live(&machine, NULL);
	}
	if (r < 0 || pmuq_source_find_pmu(machine, "software", &pmu, NULL) < 0)
		return 1;
	printf("%s has type %u\n", pmu->name.p, pmu->type);
	pmuq_source_free(machine);
	return 0;
}
