/* SPDX-License-Identifier: MIT */
/* Print what is wrong with a string, for programs and for people: */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *events = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_source_open_tree("skylake-sp", &machine, NULL) < 0)
		return 1;
	pmuq_source_encode(machine, "cycles:uu", NULL, &events, &error);
	if (error) {
		char *text = pmuq_error_format(error);

		printf("%s at byte %zu\n", pmuq_code_name(error->code),
			   error->offset);
		printf("%s\n", text ? text : "out of memory");
		free(text);
	}
	pmuq_error_free(error);
	pmuq_encodings_free(events);
	pmuq_source_free(machine);
	return 0;
}
