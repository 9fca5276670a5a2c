/* SPDX-License-Identifier: MIT */
/* List the events of a perf.data file: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_recording *recording = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_recording_open("groups.data", &recording, &error) < 0) {
		fprintf(stderr, "%s\n", error->message.p);
		pmuq_error_free(error);
		return 1;
	}
	for (size_t i = 0; i < pmuq_recording_content(recording)->n_events;
		 i++)
		printf("%s: type %u\n", pmuq_recording_event(recording, i)->name.p,
			   pmuq_recording_event(recording, i)->attr->type);
	pmuq_recording_free(recording);
	return 0;
}
