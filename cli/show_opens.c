/* SPDX-License-Identifier: MIT */
/* Whether the kernel opened an event when the machine was checked. Opens nothing itself. */
#include "cli/report.h"
#include "cli/show.h"
#include <string.h>
#include <time.h>

static bool has_attr(const struct pmuq_encodings *encodings, const char *pmu,
		     const struct pmuq_attr *attr)
{
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, i);
		const struct pmuq_attr *other = pmuq_encoding_attr(encoding);
		const char *own = pmuq_encoding_pmu(encoding);

		if (own && strcmp(own, pmu) == 0 && other->size == attr->size &&
		    memcmp(other, attr, attr->size) == 0)
			return true;
	}
	return false;
}

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
		    has_attr(encodings, pmu, attr))
			return answer;
	}
	return NULL;
}

static void print_refusal(const struct pmuq_answer *answer)
{
	const char *change = pmuq_answer_change(answer), *hint = pmuq_answer_hint(answer);
	int errnum = pmuq_answer_errno(answer);

	show_print("opens", "no: %s (%d), %s", pmuq_errno_name(errnum), errnum,
		   pmuq_answer_reason(answer));
	if (change)
		show_print("", "opens %s%s", *change == ':' ? "with " : "", change);
	if (hint)
		show_print("", "hint: %s", hint);
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

void show_opens(const struct shown_machine *machine, const struct pmuq_encoding *encoding)
{
	const char *pmu = pmuq_encoding_pmu(encoding);
	const struct pmuq_answer *answer =
		machine->check && pmu ? find_answer(machine, pmu, pmuq_encoding_attr(encoding))
				      : NULL;

	if (!answer)
		return;
	switch (pmuq_answer_status(answer)) {
	case PMUQ_OPENED:
		if (strcmp(pmuq_answer_cpus(answer), "-1") == 0)
			show_field("opens", "yes, for a task");
		else
			show_print("opens", "yes, on cpus %s", pmuq_answer_cpus(answer));
		break;
	case PMUQ_REFUSED:
		print_refusal(answer);
		break;
	case PMUQ_SKIPPED:
		show_print("opens", "not asked: %s", pmuq_answer_reason(answer));
		break;
	}
	print_time(machine->check);
}
