/* SPDX-License-Identifier: MIT */
/* How often does an event happen while my code runs? count_event [EVENT] */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>

/* Causes page faults. */
static void work(void)
{
	const size_t bytes = (size_t)64 << 20;
	char *memory = malloc(bytes);
	volatile char *pages = memory;

	for (size_t i = 0; memory && i < bytes; i += 4096)
		pages[i] = 1;
	free(memory);
}

static int count(const struct pmuq_encodings *encodings, struct pmuq_error **reterr)
{
	const struct pmuq_encoding *event = pmuq_encodings_get(encodings, 0);
	struct pmuq_value value = { .size = sizeof(value) };
	struct pmuq_opened *opened = NULL;
	int r = pmuq_encodings_open(encodings, NULL, &opened, reterr);

	if (r < 0)
		return r;
	if (!pmuq_opened_target_count(opened, 0)) {
		printf("%s: %s\n", event->name.p,
		       pmuq_open_results_get(pmuq_opened_results(opened), 0)->reason.p);
		pmuq_opened_free(opened);
		return 0;
	}
	r = pmuq_opened_enable(opened, reterr);
	work();
	if (r == 0)
		r = pmuq_opened_disable(opened, reterr);
	if (r == 0)
		r = pmuq_opened_read(opened, 0, &value, reterr);
	if (r == 0)
		printf("%s: %llu\n", event->name.p, (unsigned long long)value.scaled);
	pmuq_opened_free(opened);
	return r;
}

int main(int argc, char **argv)
{
	const char *event = argc > 1 ? argv[1] : "page-faults";
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_source_open_live(&machine, &error);

	if (r == 0)
		r = pmuq_source_encode(machine, event, NULL, &encodings, &error);
	if (r == 0)
		r = count(encodings, &error);
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
