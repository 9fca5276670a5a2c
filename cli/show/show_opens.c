/* SPDX-License-Identifier: MIT */
/* Whether the kernel opens an event, or did when the machine was checked. Opens nothing itself. */
#include "cli/events/fold_encodings.h"
#include "cli/hosts/known_opens.h"
#include "cli/report.h"
#include "cli/show/show.h"
#include <string.h>
#include <time.h>

/* By what is opened, not by how it is called: to the kernel, one attr is one event. */
static const struct pmuq_check_result *find_answer(const struct shown_machine *machine,
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

/* Both kinds of result, as far as they are told. */
struct said {
	enum pmuq_open_status status;
	int errnum;
	const char *cpus, *reason, *change, *hint;
};

static struct said said_of(const struct pmuq_check_result *result)
{
	return (struct said){
		.status = result->open->status,
		.errnum = result->open->errnum,
		.cpus = result->open->cpus.p,
		.reason = result->open->reason.p,
		.change = result->open->change.p,
		.hint = result->open->hint.p,
	};
}

static struct said said_now(const struct pmuq_open_results *opens, size_t index)
{
	return (struct said){
		.status = pmuq_open_results_get(opens, index)->status,
		.errnum = pmuq_open_results_get(opens, index)->errnum,
		.cpus = pmuq_open_results_get(opens, index)->cpus.p,
		.reason = pmuq_open_results_get(opens, index)->reason.p,
		.change = pmuq_open_results_get(opens, index)->change.p,
		.hint = pmuq_open_results_get(opens, index)->hint.p,
	};
}

static void print_refusal(const struct said *said)
{
	show_print("opens", "no: %s (%d), %s", pmuq_errno_name(said->errnum), said->errnum,
		   said->reason);
	if (said->change)
		show_print("", "opens %s%s", *said->change == ':' ? "with " : "", said->change);
	if (said->hint)
		show_print("", "hint: %s", said->hint);
}

static void print_said(const struct said *said)
{
	switch (said->status) {
	case PMUQ_OPENED:
		if (strcmp(said->cpus, "-1") == 0)
			show_field("opens", "yes, for a task");
		else
			show_print("opens", "yes, on cpus %s", said->cpus);
		break;
	case PMUQ_REFUSED:
		print_refusal(said);
		break;
	case PMUQ_SKIPPED:
		show_print("opens", "not opened: %s", said->reason);
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

void show_opens(const struct shown_machine *machine, const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);
	const char *pmu = encoding->pmu.p;
	const struct pmuq_check_result *result = NULL;
	struct said said;

	if (fold->opens) {
		said = said_now(fold->opens, fold->first);
		print_said(&said);
		return;
	}
	if (machine->check && pmu)
		result = find_answer(machine, pmu, encoding->attr);
	if (!result)
		return;
	said = said_of(result);
	print_said(&said);
	print_time(machine->check);
}
