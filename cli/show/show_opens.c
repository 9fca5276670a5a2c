/* SPDX-License-Identifier: MIT */
/* Whether the kernel opens an event, or opened it when the machine was checked. Opens nothing. */
#include "cli/events/fold_encodings.h"
#include "cli/hosts/known_opens.h"
#include "cli/report.h"
#include "cli/show/show.h"
#include <string.h>
#include <time.h>

/* By the attr, not by the name: to the kernel, one attr is one event. */
static const struct pmuq_check_result *find_result(const struct shown_machine *machine,
						   const char *pmu, const struct pmuq_attr *attr)
{
	for (size_t i = 0; i < pmuq_check_progress(machine->check)->n_results; i++) {
		cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
		const struct pmuq_check_result *result = pmuq_check_get(machine->check, i);

		if (strcmp(result->pmu.p, pmu) == 0 &&
		    pmuq_catalog_encode(machine->catalog, result->event_string.p, NULL, &encodings,
					NULL) == 0 &&
		    opens_has_attr(encodings, pmu, attr))
			return result;
	}
	return NULL;
}

static void print_refusal(const struct pmuq_open_result *open)
{
	show_print("opens", "no: %s (%d), %s", pmuq_errno_name(open->errnum), open->errnum,
		   open->reason.p);
	if (open->change.n)
		show_print("", "opens %s%s", *open->change.p == ':' ? "with " : "", open->change.p);
	if (open->hint.n)
		show_print("", "hint: %s", open->hint.p);
}

static void print_open(const struct pmuq_open_result *open)
{
	switch (open->status) {
	case PMUQ_OPENED:
		if (strcmp(open->cpus.p, "-1") == 0)
			show_field("opens", "yes, for a task");
		else
			show_print("opens", "yes, on cpus %s", open->cpus.p);
		break;
	case PMUQ_REFUSED:
		print_refusal(open);
		break;
	case PMUQ_SKIPPED:
		show_print("opens", "not tried: %s", open->reason.p);
		break;
	}
}

static void print_time(const struct pmuq_check *check)
{
	const char *kernel = pmuq_check_progress(check)->kernel.p;
	time_t time_s = (time_t)pmuq_check_progress(check)->time_s;
	char text[64];
	struct tm utc;

	if (gmtime_r(&time_s, &utc) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &utc))
		show_print("", "checked %s%s%s", text, kernel ? ", Linux " : "",
			   kernel ? kernel : "");
}

void show_find_open(struct shown_event *event, const struct pmuq_open_results *opens)
{
	const struct pmuq_check_result *result;

	if (opens) {
		event->open = pmuq_open_results_get(opens, event->fold->first);
		return;
	}
	if (!event->machine->check || !event->encoding->pmu.p)
		return;
	result = find_result(event->machine, event->encoding->pmu.p, event->encoding->attr);
	event->open = result ? result->open : NULL;
	event->is_stored = result;
}

void show_open(const struct shown_event *event)
{
	if (!event->open)
		return;
	print_open(event->open);
	if (event->is_stored)
		print_time(event->machine->check);
}
