/* SPDX-License-Identifier: MIT */
/*
 * An event string in full, a block for each encoding; sibling instances share a block. Gathers the
 * facts and prints them as text. Names in other sources: show_names.c; descriptions: show_about.c.
 */
#include "cli/clock.h"
#include "cli/events/encode_output.h"
#include "cli/hosts/known_opens.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/show/show.h"
#include <string.h>

/* The PMU's event that a word of the string names; NULL: none. */
static const struct pmuq_event *find_event(const struct pmuq_pmu *pmu, const char *string)
{
	for (size_t i = 0; pmu && i < pmu->definition->n_events; i++)
		if (show_names_event(string, pmuq_pmu_event(pmu, i)->name.p))
			return pmuq_pmu_event(pmu, i);
	return NULL;
}

/* Whether the PMU has one of the encodings already. */
static bool is_encoded(const struct pmuq_encodings *encodings, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++) {
		const char *name = pmuq_encodings_get(encodings, i)->pmu.p;

		if (name && strcmp(name, pmu->name.p) == 0)
			return true;
	}
	return false;
}

/* PMUs that also have an event of that name. */
static void find_others(struct shown_event *event)
{
	const struct shown_machine *machine = event->machine;
	const struct pmuq_catalog *catalog = machine->catalog;

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		if ((find_event(pmu, event->own) ||
		     show_find_vendor_event(machine, pmu, event->own)) &&
		    !is_encoded(event->fold->encodings, pmu))
			push_or_die(&event->others, pmu);
	}
}

/* The value of name= hides the string; print the string instead, if it contains a single event. */
static const char *written(const struct pmuq_encodings *encodings,
			   const struct pmuq_encoding *encoding, const char *string)
{
	const char *name = encoding->name.p;

	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++)
		if (strcmp(pmuq_encodings_get(encodings, i)->name.p, name) != 0)
			return name;
	return string;
}

/* The terms that the event's name stands for, from sysfs or a vendor's table. */
static void find_terms(struct shown_event *event)
{
	const struct pmuq_event *file = find_event(event->pmu, event->own);

	if (event->encoding->origin == PMUQ_FROM_SYSFS && file)
		event->terms = file->terms.p;
	if (event->encoding->origin == PMUQ_FROM_JSON)
		event->listed = show_find_vendor_event(event->machine, event->pmu, event->own);
	if (event->listed)
		event->terms = event->listed->event->terms.p;
}

/* The source of the name; of a vendor's table, the file and its version. */
static void print_source(const struct shown_event *event)
{
	const char *source = pmuq_origin_name(event->encoding->origin);
	const struct pmuq_vendor_event *listed = event->listed;

	if (listed)
		label_print("source", "%s, %s%s%s, %s", source, listed->file.p,
			    listed->version.n ? " " : "", listed->version.p,
			    pmuq_vendor_content(event->machine->vendor)->import.p);
	else
		label_text("source", source);
	label_text("terms", event->terms);
}

/* Names of the event elsewhere: in other sources, and on other PMUs. */
static void print_names(const struct shown_event *event)
{
	auto_free char *others = event->others.n ? instances_names(&event->others) : NULL;

	for (size_t i = 0; i < event->names.n; i++)
		label_print(i ? "" : "same as", "%s (%s)", event->names.v[i].text,
			    pmuq_origin_name(event->names.v[i].origin));
	label_text("also on", others);
}

/* When a stored machine was checked, and by which kernel. */
static void print_time(const struct pmuq_check *check)
{
	const char *kernel = pmuq_check_progress(check)->kernel.p;
	auto_free char *time = clock_text(pmuq_check_progress(check)->time_s);

	label_print("", "checked %s%s%s", time, kernel ? ", Linux " : "", kernel ? kernel : "");
}

static void print_event(const struct shown_event *event)
{
	const struct pmuq_encoding *encoding = event->encoding;

	label_title(encoding->name.p);
	for (size_t i = 0; i < event->about.n; i++)
		label_paragraph(i ? "" : "about", event->about.v[i]);
	label_text("topic", event->topic);
	label_text("in full", event->full_name);
	encode_print_facts(event->fold);
	print_source(event);
	if (event->open)
		encode_print_open(event->open);
	if (event->is_stored)
		print_time(event->machine->check);
	print_names(event);
	encode_print_warnings(encoding, event->string);
}

static void clear_event(struct shown_event *event)
{
	for (size_t i = 0; i < event->about.n; i++)
		free(event->about.v[i]);
	for (size_t i = 0; i < event->names.n; i++)
		free(event->names.v[i].text);
	pq_vec_free(&event->about);
	pq_vec_free(&event->names);
	pq_vec_free(&event->others);
	free(event->full_name);
}

/* A new result if there is one, otherwise that of the last check. */
static void find_open(struct shown_event *event)
{
	const struct shown_machine *machine = event->machine;
	const struct pmuq_check_result *result = NULL;

	if (event->fold->opens)
		event->open = pmuq_open_results_get(event->fold->opens, event->fold->first);
	else if (machine->check)
		result = opens_find_result(machine->source, machine->check, event->encoding);
	if (result)
		event->open = result->open;
	event->is_stored = result;
}

/* Gathers all facts about one encoding, then prints them. */
static void show_fold(const struct shown_machine *machine, const char *string,
		      const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);
	const char *pmu = encoding->pmu.p;
	cleanup(clear_event) struct shown_event event = {
		.machine = machine,
		.fold = fold,
		.encoding = encoding,
		.pmu = pmu ? pmuq_catalog_find_pmu(machine->catalog, pmu) : NULL,
		.string = string,
		.own = written(fold->encodings, encoding, string),
	};

	find_terms(&event);
	find_open(&event);
	show_find_about(&event);
	show_find_names(&event);
	find_others(&event);
	if (machine->document)
		show_row(machine, &(struct shown){ .event = &event });
	else
		print_event(&event);
}

void show_encodings(const struct shown_machine *machine, const char *string,
		    const struct pmuq_encodings *encodings)
{
	cleanup(pmuq_open_results_freep) struct pmuq_open_results *opens = NULL;
	struct fold fold = { .encodings = encodings };

	/* On this machine the running kernel is tried; if that fails, the other facts are still
	 * printed. */
	if (pmuq_catalog_machine(machine->catalog)->is_live &&
	    optional_or_die(pmuq_encodings_test_open(encodings, NULL, &opens, NULL)) == 0)
		fold.opens = opens;
	while (fold_next(&fold)) {
		if (fold.first > 0 && !machine->document)
			putchar('\n');
		show_fold(machine, string, &fold);
	}
}

void show_failure(const struct shown_failure *failure)
{
	if (failure->machine->document) {
		show_row(failure->machine, &(struct shown){ .failure = failure });
		return;
	}
	label_title(failure->string);
	label_text("pmu", failure->pmu->name.p);
	label_text("terms", failure->event->terms.p);
	report_draw(stdout, REPORT_NOTE, failure->error, failure->string, "  ");
}
