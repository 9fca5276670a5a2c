/* SPDX-License-Identifier: MIT */
/* What a recording of perf says of its events: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	struct pmuq_recording *recording = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_recording_open("groups.data", &recording, &error) < 0) {
		fprintf(stderr, "%s\n", pmuq_error_message(error));
		pmuq_error_free(error);
		return 1;
	}
	for (size_t i = 0; i < pmuq_recording_event_count(recording); i++)
		printf("%s: type %u\n", pmuq_recording_event_name(recording, i),
			   pmuq_recording_event_attr(recording, i)->type);
	pmuq_recording_free(recording);
	return 0;
}
