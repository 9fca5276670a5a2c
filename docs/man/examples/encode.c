/* SPDX-License-Identifier: MIT */
/* Encode an event that has a unit and a scale: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *events = NULL;
	int r = pmuq_source_open_tree("zen3-epyc", &machine, NULL);

	if (r == 0)
		r = pmuq_source_encode(machine, "power/energy-pkg/", NULL, &events,
							   NULL);
	for (size_t i = 0; r == 0 && i < pmuq_encodings_count(events); i++) {
		const struct pmuq_encoding *event = pmuq_encodings_get(events, i);

		printf("%s: type %u on CPUs %s, a count is %s %s\n", event->pmu.p,
			   event->attr->type, event->cpus.p, event->scale.p,
			   event->unit.p);
	}
	pmuq_encodings_free(events);
	pmuq_source_free(machine);
	return r < 0;
}
