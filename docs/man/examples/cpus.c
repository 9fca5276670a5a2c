/* SPDX-License-Identifier: MIT */
/* On which CPUs must an event be opened? */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *events = NULL;
	struct pmuq_cpu_list *cpus = NULL;
	int r = pmuq_source_open_tree("zen3-epyc", &machine, NULL);

	if (r == 0)
		r = pmuq_source_encode(machine, "amd_l3/event=0x4/", NULL, &events,
							   NULL);
	if (r == 0)
		r = pmuq_cpu_list_from_text(pmuq_encodings_get(events, 0)->cpus.p,
									&cpus, NULL);
	for (size_t i = 0; r == 0 && i < cpus->n_numbers; i++)
		printf("CPU %u\n", cpus->numbers[i]);
	pmuq_cpu_list_free(cpus);
	pmuq_encodings_free(events);
	pmuq_source_free(machine);
	return r < 0;
}
