/* SPDX-License-Identifier: MIT */
/*
 * Searches the events of the machine by their names. Instances of one PMU are searched once. The
 * files of events are read for the rows that are printed, since a machine has thousands.
 */
#include "cli/tables/search_machine.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/tables/list_sources.h"
#include <string.h>

/* ---- files */

/* The event string for all instances, "uncore_imc/clockticks/". */
static void consider_file(struct row_search *search, const char *label, size_t first, size_t n,
			  const char *name)
{
	struct search_rows *rows = search->rows;
	struct search_row row = {
		.origin = PMUQ_FROM_SYSFS,
		.pmu = label,
		.name = name,
		.instance = rows->pmus.v[first].name,
	};

	if (!search_matches(search, &row))
		return;
	row.is_here = true;
	row.string = list_texts_keep(&rows->texts,
				     print_or_die("%.*s/%s/",
						  (int)machine_pmus_stem(&rows->pmus, first, n),
						  row.instance, name));
	search_add(rows, &row);
}

/* The names are freed with the rows. */
static void keep_list(struct search_rows *rows, struct pmuq_names *names)
{
	push_or_die(&rows->lists, names);
}

/* A PMU can vanish after it was listed. */
static enum status search_files_of(struct row_search *search, size_t first, size_t n)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct search_rows *rows = search->rows;
	struct pmuq_names *names = NULL;
	const char *label;
	int r = pmuq_source_list_events_of(rows->source, rows->pmus.v[first].name, &names, &error);

	if (r < 0)
		return r == -PMUQ_E_UNKNOWN_PMU ? STATUS_OK : report_error(error, NULL);
	keep_list(rows, names);
	label = list_texts_keep(&rows->texts, machine_pmus_label(&rows->pmus, first, n));
	for (size_t i = 0; i < pmuq_names_count(names); i++)
		consider_file(search, label, first, n, pmuq_names_get(names, i));
	return STATUS_OK;
}

static enum status search_files(struct row_search *search)
{
	const struct machine_pmus *pmus = &search->rows->pmus;
	enum status status = STATUS_OK;
	size_t n;

	for (size_t i = 0; status == STATUS_OK && i < pmus->n; i += n) {
		n = machine_pmus_count_instances(pmus, i);
		status = search_files_of(search, i, n);
	}
	return status;
}

/* ---- generic events */

static void consider_generic(struct row_search *search, const char *name,
			     const struct pmuq_encoding *encoding)
{
	struct search_rows *rows = search->rows;
	const char *on = encoding->pmu.p;
	const struct machine_pmu *pmu = on ? machine_pmus_find(&rows->pmus, on) : NULL;
	struct list_event event;

	if (!pmu)
		return;
	event = list_generic_event(&rows->texts, name, encoding);
	search_consider(search, &(struct search_row){ .origin = PMUQ_FROM_GENERIC,
						      .pmu = pmu->name,
						      .name = event.name,
						      .string = event.string,
						      .terms = event.terms });
}

/* A machine without core PMUs encodes hardware events, too, but no PMU counts them. */
static void search_generic(struct row_search *search)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .from = PMUQ_FROM_GENERIC };
	char name[PMUQ_GENERIC_NAME_MAX];

	for (size_t i = 0; pmuq_generic_name(i, name); i++) {
		cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;

		optional_or_die(
			pmuq_source_encode(search->rows->source, name, &options, &encodings, NULL));
		for (size_t k = 0; encodings && k < pmuq_encodings_count(encodings); k++)
			consider_generic(search, name, pmuq_encodings_get(encodings, k));
	}
}

/* ---- tracepoints */

/* They have no descriptions: the subsystem and the name are all that words can match. */
static enum status search_tracepoints(struct row_search *search)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct search_rows *rows = search->rows;
	struct pmuq_names *names = NULL;

	if (pmuq_source_list_tracepoints(rows->source, "", &names, &error) < 0)
		return report_error(error, NULL);
	keep_list(rows, names);
	for (size_t i = 0; i < pmuq_names_count(names); i++) {
		struct search_row row = {
			.origin = PMUQ_FROM_TRACEPOINT,
			.pmu = "tracepoint",
			.name = pmuq_names_get(names, i),
			.string = pmuq_names_get(names, i),
		};

		search_consider(search, &row);
	}
	return STATUS_OK;
}

/* ---- all of it */

enum status search_machine(struct row_search *search)
{
	enum status status = STATUS_OK;

	if (search_wants(search, PMUQ_FROM_SYSFS))
		status = search_files(search);
	if (status == STATUS_OK && search_wants(search, PMUQ_FROM_GENERIC))
		search_generic(search);
	if (status == STATUS_OK && search_wants(search, PMUQ_FROM_TRACEPOINT))
		status = search_tracepoints(search);
	return status;
}

void search_machine_terms(struct row_search *search)
{
	struct search_rows *rows = search->rows;

	for (size_t i = 0; i < rows->n; i++) {
		struct search_row *row = &rows->v[i];
		const struct pmuq_pmu *pmu = NULL;

		if (!row->instance || optional_or_die(pmuq_source_find_pmu(
					      rows->source, row->instance, &pmu, NULL)) < 0)
			continue;
		for (size_t k = 0; k < pmu->definition->n_events; k++)
			if (strcmp(pmuq_pmu_event(pmu, k)->name.p, row->name) == 0)
				row->terms = pmuq_pmu_event(pmu, k)->terms.p;
	}
}
