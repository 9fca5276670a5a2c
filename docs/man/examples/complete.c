/* SPDX-License-Identifier: MIT */
/* Print the words that can continue "cpu/event=0x3c,u": */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	const char *text = "cpu/event=0x3c,u";
	struct pmuq_completion *completion = NULL;
	struct pmuq_source *machine = NULL;
	int r = pmuq_source_open_tree("skylake-sp", &machine, NULL);

	if (r == 0)
		r = pmuq_source_complete(machine, text, NULL, &completion, NULL);
	for (size_t i = 0; r == 0 && i < completion->n_candidates; i++) {
		const struct pmuq_candidate *candidate =
			pmuq_completion_candidate(completion, i);

		printf("%.*s%s  %s\n", (int)completion->offset, text,
			   candidate->text.p,
			   candidate->about.p ? candidate->about.p : "");
	}
	pmuq_completion_free(completion);
	pmuq_source_free(machine);
	return r < 0;
}
