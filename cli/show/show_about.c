/* SPDX-License-Identifier: MIT */
/* What a vendor says about an event: its table, or libpfm4's. Prints nothing for other events. */
#include "cli/show/show.h"
#include <string.h>

/* Behind which a word of an event string ends. */
#define WORD_ENDS "/,:{} \t\n"

/* The table's event that a word of the string names, if the PMU has it. */
static const struct pmuq_vendor_event *find_event(const struct shown_machine *machine,
						  const struct pmuq_pmu *pmu, const char *string)
{
	const struct pmuq_vendor_event *found = NULL;

	while (!found && *(string += strspn(string, WORD_ENDS))) {
		size_t n = strcspn(string, WORD_ENDS);
		auto_free char *word = strndup(string, n);

		if (word)
			found = pmuq_vendor_find_event(machine->vendor, pmu, word);
		string += n;
	}
	return found;
}

const struct pmuq_vendor_event *show_find_vendor_event(const struct shown_machine *machine,
						       const struct pmuq_pmu *pmu,
						       const char *string)
{
	return machine->vendor && pmu ? find_event(machine, pmu, string) : NULL;
}

static void about_table(const struct pmuq_vendor_event *event)
{
	const char *brief = event->description.p;
	const char *more = event->long_description.p;

	show_paragraph("about", brief);
	if (strcmp(brief, more) != 0)
		show_paragraph(*brief ? "" : "about", more);
	show_field("topic", event->topic.p);
}

/* Whether ":NAME" stands in "skx::EVENT:NAME:u=0". */
static bool has_attribute(const char *canonical, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = canonical; (at = strchr(at, ':')); at++)
		if (strncmp(at + 1, name, n) == 0 && (!at[n + 1] || at[n + 1] == ':'))
			return true;
	return false;
}

static void about_pfm_event(const struct pmuq_pfm_event *event, const char *canonical)
{
	show_paragraph("about", event->description.p);
	for (size_t i = 0; i < event->n_attributes; i++) {
		auto_free char *text = NULL;
		const char *name = pmuq_pfm_event_attribute(event, i)->name.p;

		if (pmuq_pfm_event_attribute(event, i)->type == PMUQ_PFM_UMASK &&
		    has_attribute(canonical, name) &&
		    asprintf(&text, "%s: %s", name,
			     pmuq_pfm_event_attribute(event, i)->description.p) >= 0)
			show_paragraph("", text);
	}
}

/* What cannot be told is left out: the event itself is known by now. */
static void about_code(struct pmuq_pfm *pfm, const struct pmuq_pfm_code *code)
{
	cleanup(pfm_events_freep) struct pmuq_pfm_events *events = NULL;

	if (pmuq_pfm_list_events(pfm, code->pmu.p, true, &events, NULL) < 0)
		return;
	for (size_t i = 0; i < pmuq_pfm_events_count(events); i++) {
		const struct pmuq_pfm_event *event = pmuq_pfm_events_get(events, i);

		if (strcmp(event->name.p, code->event.p) == 0)
			about_pfm_event(event, code->canonical.p);
	}
}

static void about_pfm(const struct shown_machine *machine, const char *name)
{
	static const char prefix[] = "pfm:";
	cleanup(pfm_answers_freep) struct pmuq_pfm_encodings *answers = NULL;
	const char *cpuid = pmuq_catalog_find_fact(machine->catalog, "cpuid");
	const struct pmuq_pfm_code *code;

	if (strncmp(name, prefix, strlen(prefix)) == 0 && name[strlen(prefix)] != ':')
		name += strlen(prefix);
	if (pmuq_pfm_encode(machine->pfm, cpuid, &name, 1, &answers, NULL) < 0)
		return;
	code = pmuq_pfm_encoding_code(pmuq_pfm_encodings_get(answers, 0), 0);
	if (!code)
		return;
	about_code(machine->pfm, code);
	show_field("in full", code->canonical.p);
}

void show_about(const struct shown_machine *machine, const char *string,
		const struct pmuq_encoding *encoding)
{
	const char *pmu = encoding->pmu.p;
	const struct pmuq_vendor_event *event = NULL;

	if (encoding->origin == PMUQ_FROM_PFM && machine->pfm)
		about_pfm(machine, string);
	if (encoding->origin == PMUQ_FROM_JSON && pmu)
		event = show_find_vendor_event(
			machine, pmuq_catalog_find_pmu(machine->catalog, pmu), string);
	if (event)
		about_table(event);
}
