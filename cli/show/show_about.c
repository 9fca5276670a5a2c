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
	const char *brief = pmuq_vendor_event_description(event);
	const char *more = pmuq_vendor_event_long_description(event);

	show_paragraph("about", brief);
	if (strcmp(brief, more) != 0)
		show_paragraph(*brief ? "" : "about", more);
	show_field("topic", pmuq_vendor_event_topic(event));
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
	show_paragraph("about", pmuq_pfm_event_description(event));
	for (size_t i = 0; i < pmuq_pfm_event_attribute_count(event); i++) {
		auto_free char *text = NULL;
		const char *name = pmuq_pfm_attribute_name(event, i);

		if (pmuq_pfm_attribute_kind(event, i) == PMUQ_PFM_UMASK &&
		    has_attribute(canonical, name) &&
		    asprintf(&text, "%s: %s", name, pmuq_pfm_attribute_description(event, i)) >= 0)
			show_paragraph("", text);
	}
}

/* What cannot be told is left out: the event itself is known by now. */
static void about_code(struct pmuq_pfm *pfm, const struct pmuq_pfm_code *code)
{
	cleanup(pfm_events_freep) struct pmuq_pfm_events *events = NULL;

	if (pmuq_pfm_list_events(pfm, pmuq_pfm_code_pmu(code), true, &events, NULL) < 0)
		return;
	for (size_t i = 0; i < pmuq_pfm_events_count(events); i++) {
		const struct pmuq_pfm_event *event = pmuq_pfm_events_get(events, i);

		if (strcmp(pmuq_pfm_event_name(event), pmuq_pfm_code_event(code)) == 0)
			about_pfm_event(event, pmuq_pfm_code_canonical(code));
	}
}

static void about_pfm(const struct shown_machine *machine, const char *name)
{
	static const char prefix[] = "pfm:";
	cleanup(pfm_answers_freep) struct pmuq_pfm_answers *answers = NULL;
	const char *cpuid = pmuq_catalog_find_fact(machine->catalog, "cpuid");
	const struct pmuq_pfm_code *code;

	if (strncmp(name, prefix, strlen(prefix)) == 0 && name[strlen(prefix)] != ':')
		name += strlen(prefix);
	if (pmuq_pfm_encode(machine->pfm, cpuid, &name, 1, &answers, NULL) < 0)
		return;
	code = pmuq_pfm_answer_code(pmuq_pfm_answers_get(answers, 0), 0);
	if (!code)
		return;
	about_code(machine->pfm, code);
	show_field("in full", pmuq_pfm_code_canonical(code));
}

void show_about(const struct shown_machine *machine, const char *string,
		const struct pmuq_encoding *encoding)
{
	const char *pmu = pmuq_encoding_pmu(encoding);
	const struct pmuq_vendor_event *event = NULL;

	if (pmuq_encoding_origin(encoding) == PMUQ_FROM_PFM && machine->pfm)
		about_pfm(machine, string);
	if (pmuq_encoding_origin(encoding) == PMUQ_FROM_JSON && pmu)
		event = show_find_vendor_event(
			machine, pmuq_catalog_find_pmu(machine->catalog, pmu), string);
	if (event)
		about_table(event);
}
