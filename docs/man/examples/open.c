/* SPDX-License-Identifier: MIT */
/* Does this kernel open an event, and if not, why? */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *events = NULL;
	struct pmuq_open_results *results = NULL;
	int r = pmuq_source_open_live(&machine, NULL);

	if (r == 0)
		r = pmuq_source_encode(machine, "cpu-clock:u", NULL, &events,
							   NULL);
	if (r == 0)
		r = pmuq_encodings_test_open(events, NULL, &results, NULL);
	if (r == 0 && pmuq_open_results_get(results, 0)->status == PMUQ_OPENED)
		puts("opens");
	else if (r == 0)
		printf("%s\n", pmuq_open_results_get(results, 0)->reason.p);
	pmuq_open_results_free(results);
	pmuq_encodings_free(events);
	pmuq_source_free(machine);
	return r < 0;
}
