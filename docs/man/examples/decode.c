/* SPDX-License-Identifier: MIT */
/* From the attr that a tool opened back to the event string: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_decoding *decoding = NULL;
	struct pmuq_attr attr = { 0 };
	int r = pmuq_source_open_tree("skylake-sp", &machine, NULL);

	if (r == 0)
		r = pmuq_attr_parse("type=4 config=0x1cd config1=0x1e inherit=1",
							&attr, NULL);
	if (r == 0)
		r = pmuq_source_decode(machine, &attr, NULL, &decoding, NULL);
	if (r == 0)
		printf("%s\n", decoding->text.p);
	for (size_t i = 0; r == 0 && i < decoding->n_left; i++)
		printf("left to a tool: %s\n",
			   pmuq_decoding_left(decoding, i)->name.p);
	pmuq_decoding_free(decoding);
	pmuq_source_free(machine);
	return r < 0;
}
