/* SPDX-License-Identifier: MIT */
/* Capture a machine, and print what was redacted: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_capture *capture = NULL;
	int r = pmuq_source_open_tree("skylake-sp", &machine, NULL);

	if (r == 0)
		r = pmuq_capture_take(machine, NULL, &capture, NULL);
	if (r == 0)
		r = pmuq_capture_write(capture, "skx", NULL);
	for (size_t i = 0;
		 r == 0 && i < pmuq_capture_content(capture)->n_redactions; i++)
		printf("%s: %s\n",
			   pmuq_capture_content(capture)->redactions[i].name.p,
			   pmuq_capture_content(capture)->redactions[i].text.p);
	pmuq_capture_free(capture);
	pmuq_source_free(machine);
	return r < 0;
}
