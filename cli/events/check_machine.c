/* SPDX-License-Identifier: MIT */
/*
 * Opens every event of a machine, one after the other, until all are done or the user presses
 * Ctrl-C. An interrupted check contains the results so far.
 */
#include "cli/events/check_machine.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/report.h"

/* Returns 0 or a negative code; the events opened before an error are in the check. */
static int check_all(struct pmuq_check *check, struct pmuq_error **reterr)
{
	struct progress progress;
	int r = 0;

	progress_begin(&progress);
	while (r == 0 && !interrupt_came() &&
	       pmuq_check_progress(check)->n_results < pmuq_check_progress(check)->n_events) {
		progress_show(&progress, pmuq_check_progress(check)->n_results,
			      pmuq_check_progress(check)->n_events, pmuq_check_upcoming(check));
		r = pmuq_check_next(check, reterr);
	}
	progress_end(&progress);
	return r;
}

enum status check_machine(const struct pmuq_catalog *catalog, int64_t time_s,
			  struct pmuq_check **ret)
{
	cleanup(pmuq_check_freep) struct pmuq_check *check = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct interrupt interrupt;
	int r;

	if (pmuq_check_begin(catalog, time_s, &check, &error) < 0)
		return report_error(error, NULL);
	interrupt_begin(&interrupt);
	r = check_all(check, &error);
	interrupt_end(&interrupt);
	if (r < 0)
		return report_error(error, NULL);
	*ret = move(check);
	return interrupt_came() ? STATUS_INTERRUPTED : STATUS_OK;
}

struct check_counts count_check(const struct pmuq_check *check)
{
	const struct pmuq_progress *progress = pmuq_check_progress(check);
	struct check_counts counts = { .events = progress->n_events, .done = progress->n_results };

	for (size_t i = 0; i < counts.done; i++) {
		enum pmuq_open_status status = pmuq_check_get(check, i)->open->status;

		counts.opened += status == PMUQ_OPENED;
		counts.refused += status == PMUQ_REFUSED;
		counts.skipped += status == PMUQ_SKIPPED;
	}
	return counts;
}

void print_check(const struct check_counts *counts)
{
	printf("check: ");
	if (counts->done < counts->events)
		printf("stopped after %zu of ", counts->done);
	printf("%zu event%s: %zu open, %zu refused, %zu skipped\n", counts->events,
	       counts->events == 1 ? "" : "s", counts->opened, counts->refused, counts->skipped);
}
