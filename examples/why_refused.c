/* SPDX-License-Identifier: MIT */
/* Why does the kernel refuse an event, and what would help? why_refused EVENT... */
#include <pmuq/pmuq.h>
#include <stdio.h>

/* The event string is wrong: print the location, in bytes, and what to write instead. */
static void print_error(const char *event, struct pmuq_error *error)
{
	printf("%s: at byte %zu: %s\n", event, error->offset, error->message.p);
	if (error->hint.p)
		printf("  %s\n", error->hint.p);
	pmuq_error_free(error);
}

/* The event string is valid: print what the kernel did with the event. */
static void print_result(const char *event, const struct pmuq_open_results *results, size_t index)
{
	const char *change = pmuq_open_results_get(results, index)->change.p;
	const char *hint = pmuq_open_results_get(results, index)->hint.p;

	if (pmuq_open_results_get(results, index)->status == PMUQ_OPENED) {
		printf("%s: opens\n", event);
		return;
	}
	printf("%s: %s: %s\n", event,
	       pmuq_errno_name(pmuq_open_results_get(results, index)->errnum),
	       pmuq_open_results_get(results, index)->reason.p);
	if (change)
		printf("  it opens %s\n", change);
	if (hint)
		printf("  %s\n", hint);
}

static void explain(struct pmuq_source *machine, const char *event)
{
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_open_results *results = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_source_encode(machine, event, NULL, &encodings, &error) < 0 ||
	    pmuq_encodings_test_open(encodings, NULL, &results, &error) < 0) {
		print_error(event, error);
		pmuq_encodings_free(encodings);
		return;
	}
	for (size_t i = 0; i < pmuq_open_results_count(results); i++)
		print_result(pmuq_encodings_get(encodings, i)->name.p, results, i);
	pmuq_open_results_free(results);
	pmuq_encodings_free(encodings);
}

int main(int argc, char **argv)
{
	struct pmuq_source *machine = NULL;

	if (pmuq_source_open_live(&machine, NULL) < 0)
		return 1;
	for (int i = 1; i < argc; i++)
		explain(machine, argv[i]);
	pmuq_source_free(machine);
	return 0;
}
