/* SPDX-License-Identifier: MIT */
/* Whether the kernel opens an event, or did when the machine was checked. Opens nothing itself. */
#include "cli/events/fold_encodings.h"
#include "cli/hosts/known_opens.h"
#include "cli/report.h"
#include "cli/show/show.h"
#include <string.h>
#include <time.h>

/* By what is opened, not by how it is called: to the kernel, one attr is one event. */
static const struct pmuq_answer *find_answer(const struct shown_machine *machine, const char *pmu,
					     const struct pmuq_attr *attr)
{
	for (size_t i = 0; i < pmuq_check_count(machine->check); i++) {
		cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
		const struct pmuq_answer *answer = pmuq_check_get(machine->check, i);

		if (strcmp(pmuq_answer_pmu(answer), pmu) == 0 &&
		    pmuq_catalog_encode(machine->catalog, pmuq_answer_string(answer), NULL,
					&encodings, NULL) == 0 &&
		    opens_has_attr(encodings, pmu, attr))
			return answer;
	}
	return NULL;
}

/* Both kinds of answer, as far as they are told. */
struct said {
	enum pmuq_open_status status;
	int errnum;
	const char *cpus, *reason, *change, *hint;
};

static struct said said_of(const struct pmuq_answer *answer)
{
	return (struct said){
		.status = pmuq_answer_status(answer),
		.errnum = pmuq_answer_errno(answer),
		.cpus = pmuq_answer_cpus(answer),
		.reason = pmuq_answer_reason(answer),
		.change = pmuq_answer_change(answer),
		.hint = pmuq_answer_hint(answer),
	};
}

static struct said said_now(const struct pmuq_verdicts *verdicts, size_t index)
{
	return (struct said){
		.status = pmuq_verdict_status(verdicts, index),
		.errnum = pmuq_verdict_errno(verdicts, index),
		.cpus = pmuq_verdict_cpus(verdicts, index),
		.reason = pmuq_verdict_reason(verdicts, index),
		.change = pmuq_verdict_change(verdicts, index),
		.hint = pmuq_verdict_hint(verdicts, index),
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
		show_print("opens", "not asked: %s", said->reason);
		break;
	}
}

static void print_time(const struct pmuq_check *check)
{
	const char *kernel = pmuq_check_kernel(check);
	time_t time_s = (time_t)pmuq_check_time_s(check);
	char text[64];
	struct tm utc;

	if (gmtime_r(&time_s, &utc) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &utc))
		show_print("", "checked %s%s%s", text, kernel ? ", Linux " : "",
			   kernel ? kernel : "");
}

void show_opens(const struct shown_machine *machine, const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);
	const char *pmu = pmuq_encoding_pmu(encoding);
	const struct pmuq_answer *answer = NULL;
	struct said said;

	if (fold->verdicts) {
		said = said_now(fold->verdicts, fold->first);
		print_said(&said);
		return;
	}
	if (machine->check && pmu)
		answer = find_answer(machine, pmu, pmuq_encoding_attr(encoding));
	if (!answer)
		return;
	said = said_of(answer);
	print_said(&said);
	print_time(machine->check);
}
