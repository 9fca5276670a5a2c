/* SPDX-License-Identifier: MIT */
/* Count page faults while the program writes to memory: */
#include <pmuq/pmuq.h>
#include <stdio.h>

static void write_memory(void)
{
	static volatile char memory[256 * 4096];

	for (size_t i = 0; i < sizeof(memory); i += 4096)
		memory[i] = 1;
}

int main(void)
{
	struct pmuq_value value = { .size = sizeof(value) };
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *events = NULL;
	struct pmuq_opened *opened = NULL;
	int r = pmuq_source_open_live(&machine, NULL);

	if (r == 0)
		r = pmuq_source_encode(machine, "page-faults:u", NULL, &events,
							   NULL);
	if (r == 0)
		r = pmuq_encodings_open(events, NULL, &opened, NULL);
	if (r == 0)
		r = pmuq_opened_enable(opened, NULL);
	write_memory();
	if (r == 0)
		r = pmuq_opened_read(opened, 0, &value, NULL);
	if (r == 0)
		puts(value.value > 0 ? "counted" : "not counted");
	pmuq_opened_free(opened);
	pmuq_encodings_free(events);
	pmuq_source_free(machine);
	return r < 0;
}
