/* SPDX-License-Identifier: MIT */
/*
 * What is an event string on another machine? other_machine TREE EVENT; TREE is a captured machine.
 */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>

static void print(const struct pmuq_encoding *event)
{
	const struct pmuq_attr *attr = event->attr;
	const char *pmu = event->pmu.p;

	printf("%s: PMU %s, type %u, config 0x%llx, config1 0x%llx, on CPUs %s\n", event->name.p,
	       pmu ? pmu : "none", attr->type, (unsigned long long)attr->config,
	       (unsigned long long)attr->config1, event->cpus.p);
}

int main(int argc, char **argv)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;
	int r;

	if (argc != 3) {
		fprintf(stderr, "usage: %s TREE EVENT\n", argv[0]);
		return 2;
	}
	r = pmuq_source_open_tree(argv[1], &machine, &error);
	if (r == 0)
		r = pmuq_source_encode(machine, argv[2], NULL, &encodings, &error);
	for (size_t i = 0; r == 0 && i < pmuq_encodings_count(encodings); i++)
		print(pmuq_encodings_get(encodings, i));
	if (r < 0) {
		char *diagnosis = pmuq_error_format(error);

		fprintf(stderr, "%s\n", diagnosis);
		free(diagnosis);
		pmuq_error_free(error);
	}
	pmuq_encodings_free(encodings);
	pmuq_source_free(machine);
	return r < 0;
}
