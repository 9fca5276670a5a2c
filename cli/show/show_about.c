/* SPDX-License-Identifier: MIT */
/* The vendor's description of an event: from its table, or libpfm4's. Prints nothing. */
#include "cli/or_die.h"
#include "cli/show/show.h"
#include <string.h>

/* A word of an event string ends before these. */
#define WORD_ENDS "/,:{} \t\n"

/* The table's event that a word of the string names, if the PMU has it. */
static const struct pmuq_vendor_event *find_event(const struct shown_machine *machine,
						  const struct pmuq_pmu *pmu, const char *string)
{
	const struct pmuq_vendor_event *found = NULL;

	while (!found && *(string += strspn(string, WORD_ENDS))) {
		size_t n = strcspn(string, WORD_ENDS);
		auto_free char *word = or_die(strndup(string, n));

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

/* Adds a paragraph unless it is empty. */
static void add(struct shown_event *event, const char *text)
{
	if (*text)
		push_or_die(&event->about, or_die(strdup(text)));
}

/* Vendors have a short and a long description, which are often the same. */
static void add_table(struct shown_event *event, const struct pmuq_vendor_event *found)
{
	const char *brief = found->description.p, *more = found->long_description.p;

	event->topic = found->topic.p;
	add(event, brief);
	if (strcmp(brief, more) != 0)
		add(event, more);
}

/* Whether the name is an attribute of "skx::EVENT:NAME:u=0". */
static bool has_attribute(const char *canonical, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = canonical; (at = strchr(at, ':')); at++)
		if (strncmp(at + 1, name, n) == 0 && (!at[n + 1] || at[n + 1] == ':'))
			return true;
	return false;
}

/* The event, and those of its umasks that the name contains. */
static void add_pfm_event(struct shown_event *event, const struct pmuq_pfm_event *found,
			  const char *canonical)
{
	add(event, found->description.p);
	for (size_t i = 0; i < found->n_attributes; i++) {
		const struct pmuq_pfm_attribute *attribute = pmuq_pfm_event_attribute(found, i);
		const char *name = attribute->name.p;

		if (attribute->type == PMUQ_PFM_UMASK && has_attribute(canonical, name))
			push_or_die(&event->about,
				    print_or_die("%s: %s", name, attribute->description.p));
	}
}

/* If a description cannot be read, it is omitted: the event itself was found. */
static void add_code(struct shown_event *event, const struct pmuq_pfm_code *code)
{
	cleanup(pmuq_pfm_events_freep) struct pmuq_pfm_events *events = NULL;

	event->full_name = or_die(strdup(code->canonical.p));
	if (optional_or_die(pmuq_pfm_list_events(event->machine->pfm, code->pmu.p, true, &events,
						 NULL)) < 0)
		return;
	for (size_t i = 0; i < pmuq_pfm_events_count(events); i++) {
		const struct pmuq_pfm_event *found = pmuq_pfm_events_get(events, i);

		if (strcmp(found->name.p, code->event.p) == 0)
			add_pfm_event(event, found, code->canonical.p);
	}
}

/* The canonical name of libpfm4 identifies the event and its umasks; their descriptions are
 * printed. */
static void add_pfm(struct shown_event *event)
{
	static const char prefix[] = "pfm:";
	cleanup(pmuq_pfm_encodings_freep) struct pmuq_pfm_encodings *encodings = NULL;
	const char *cpuid = pmuq_catalog_find_fact(event->machine->catalog, "cpuid");
	const char *name = event->own;
	const struct pmuq_pfm_code *code;

	if (strncmp(name, prefix, strlen(prefix)) == 0 && name[strlen(prefix)] != ':')
		name += strlen(prefix);
	if (optional_or_die(
		    pmuq_pfm_encode(event->machine->pfm, cpuid, &name, 1, &encodings, NULL)) < 0)
		return;
	code = pmuq_pfm_encoding_code(pmuq_pfm_encodings_get(encodings, 0), 0);
	if (code)
		add_code(event, code);
}

void show_find_about(struct shown_event *event)
{
	if (event->encoding->origin == PMUQ_FROM_PFM && event->machine->pfm)
		add_pfm(event);
	if (event->listed)
		add_table(event, event->listed);
}
