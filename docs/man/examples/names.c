/* SPDX-License-Identifier: MIT */
/* List the events whose names begin with what a user typed: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_names *names = NULL;
	int r = pmuq_source_open_tree("skylake-sp", &machine, NULL);

	if (r == 0)
		r = pmuq_source_list_events(machine, "cas_", &names, NULL);
	for (size_t i = 0; r == 0 && i < pmuq_names_count(names); i++)
		puts(pmuq_names_get(names, i));
	pmuq_names_free(names);
	pmuq_source_free(machine);
	return r < 0;
}
