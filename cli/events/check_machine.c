/* SPDX-License-Identifier: MIT */
/*
 * Opens every event of a machine, one after the other, until all are done or the user presses
 * Ctrl-C. An interrupted check contains the results so far.
 */
#include "cli/events/check_machine.h"
#include "cli/progress.h"
#include "cli/report.h"
#include <signal.h>

/* Set by the signal handler, read between two events. */
static volatile sig_atomic_t is_stopped;

static void stop(int number)
{
	(void)number;
	is_stopped = 1;
}

/* The first Ctrl-C ends the check, the second one the command. If SIGINT is ignored (nohup), it
 * stays ignored. */
static void catch_interrupt(struct sigaction *ret_before)
{
	struct sigaction ours = { .sa_handler = stop, .sa_flags = (int)SA_RESETHAND };

	is_stopped = 0;
	sigaction(SIGINT, NULL, ret_before);
	if (ret_before->sa_handler != SIG_IGN)
		sigaction(SIGINT, &ours, NULL);
}

/* Returns 0 or a negative code; the events opened before an error are in the check. */
static int check_all(struct pmuq_check *check, struct pmuq_error **reterr)
{
	struct progress progress;
	int r = 0;

	progress_begin(&progress);
	while (r == 0 && !is_stopped &&
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
	struct sigaction before;
	int r;

	if (pmuq_check_begin(catalog, time_s, &check, &error) < 0)
		return report_error(error, NULL);
	catch_interrupt(&before);
	r = check_all(check, &error);
	sigaction(SIGINT, &before, NULL);
	if (r < 0)
		return report_error(error, NULL);
	*ret = move(check);
	return is_stopped ? STATUS_INTERRUPTED : STATUS_OK;
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
