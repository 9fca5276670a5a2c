/* SPDX-License-Identifier: MIT */
/* Whether the kernel opens an event, or opened it when the machine was checked. Opens nothing. */
#include "cli/events/fold_encodings.h"
#include "cli/hosts/known_opens.h"
#include "cli/show/show.h"
#include <string.h>

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

/* A result of now if there is one, else that of the last check. */
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
