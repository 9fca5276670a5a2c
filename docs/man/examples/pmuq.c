/* SPDX-License-Identifier: MIT */
/* From a machine and an event string to attrs: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *events = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_source_open_tree("skylake-sp", &machine, &error);

	if (r == 0)
		r = pmuq_source_encode(machine, "cpu/event=0x3c,umask=1/u", NULL,
							   &events, &error);
	for (size_t i = 0; r == 0 && i < pmuq_encodings_count(events); i++) {
		const struct pmuq_attr *attr = pmuq_encodings_get(events, i)->attr;

		printf("type %u, config 0x%llx\n", attr->type,
			   (unsigned long long)attr->config);
	}
	if (r < 0)
		fprintf(stderr, "%s\n", error->message.p);
	pmuq_error_free(error);
	pmuq_encodings_free(events);
	pmuq_source_free(machine);
	return r < 0;
}
