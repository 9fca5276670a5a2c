/* SPDX-License-Identifier: MIT */
/* Opens the sources of events, and gathers the events of a PMU from each of them. */
#include "cli/tables/list_sources.h"
#include "cli/database.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/served.h"
#include "core/attr/attr.h"
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

/* By default all that can be listed without a helper; other sources if --from names them. */
static bool is_wanted(const struct list_sources *sources, enum pmuq_origin origin)
{
	if (!sources->from)
		return origin & (PMUQ_FROM_SYSFS | PMUQ_FROM_GENERIC | PMUQ_FROM_JSON);
	return sources->from & origin;
}

/* A table for the machine's CPU, if the database exists and has one. */
static enum status find_table(const struct cli *cli, struct pmuq_source *source,
			      struct pmuq_vendor **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path_if_there(cli);
	struct pmuq_store *store;
	const char *cpuid;
	int r = pmuq_source_find_fact(source, "cpuid", &cpuid, &error);

	if (r < 0)
		return report_error(error, NULL);
	if (!path || !cpuid)
		return STATUS_OK;
	r = database_read_path(path, &store, &error);
	if (r == 0)
		r = pmuq_store_open_vendor(store, cpuid, ret, &error);
	return r < 0 && r != -PMUQ_E_NO_VENDOR_TABLE ? report_error(error, NULL) : STATUS_OK;
}

enum status list_sources_open(struct list_sources *sources, const struct cli *cli,
			      struct pmuq_source *source, const struct pmuq_catalog *catalog)
{
	/* A user who names the source requests a table, even one of the default database. */
	const char *vendor = sources->vendor		      ? sources->vendor
			     : sources->from & PMUQ_FROM_JSON ? "auto"
							      : NULL;
	enum status status = STATUS_OK;

	sources->catalog = catalog;
	if (sources->is_all && !sources->vendor)
		status = find_table(cli, source, &sources->table);
	else if (is_wanted(sources, PMUQ_FROM_JSON))
		status = source_find_vendor(cli, source, vendor, false, &sources->table);
	if (status == STATUS_OK && is_wanted(sources, PMUQ_FROM_PFM))
		status = list_pfm_open(!sources->is_all, &sources->pfm);
	if (sources->pfm)
		status = list_pfm_find_tables(&sources->pfm,
					      pmuq_catalog_find_fact(catalog, "cpuid"),
					      pmuq_catalog_machine(catalog)->is_live);
	return status;
}

bool list_sources_are_many(const struct list_sources *sources)
{
	return is_wanted(sources, PMUQ_FROM_SYSFS) + is_wanted(sources, PMUQ_FROM_GENERIC) +
		       (sources->table != NULL) + (sources->pfm != NULL) >
	       1;
}

static struct list_event event_of_file(const struct pmuq_event *event)
{
	return (struct list_event){
		.origin = PMUQ_FROM_SYSFS,
		.name = event->name.p,
		.terms = event->terms.p,
		.unit = event->unit.p,
		.scale = event->scale.p,
		.is_per_pkg = event->is_per_pkg,
		.is_snapshot = event->is_snapshot,
	};
}

static void add_files(struct list_sources *sources, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < pmu->definition->n_events; i++)
		push_or_die(&sources->gathered, event_of_file(pmuq_pmu_event(pmu, i)));
}

static struct list_event event_of_table(const struct pmuq_vendor_event *event)
{
	const char *brief = event->description.p;

	return (struct list_event){
		.origin = PMUQ_FROM_JSON,
		.name = event->event->name.p,
		.terms = event->event->terms.p,
		.unit = event->event->unit.p,
		.scale = event->event->scale.p,
		.topic = event->topic.p,
		.file = event->file.p,
		.version = event->version.n ? event->version.p : NULL,
		.description = *brief ? brief : event->long_description.p,
		.is_per_pkg = event->event->is_per_pkg,
		.is_deprecated = event->is_deprecated,
	};
}

/* Among the events that a name can mean on a PMU, the one that it means. */
static void add_table(struct list_sources *sources, const struct pmuq_pmu *pmu)
{
	size_t n = sources->table ? pmuq_vendor_content(sources->table)->n_events : 0;

	for (size_t i = 0; i < n; i++) {
		const struct pmuq_vendor_event *event = pmuq_vendor_get(sources->table, i);
		const char *name = event->event->name.p;

		if (pmuq_vendor_find_event(sources->table, pmu, name) == event)
			push_or_die(&sources->gathered, event_of_table(event));
	}
}

struct list_event list_generic_event(struct list_texts *texts, const char *name,
				     const struct pmuq_encoding *encoding)
{
	const struct pmuq_attr *attr = encoding->attr;
	char *terms = print_or_die("%s=0x%" PRIx32, list_generic_term(attr->type),
				   (uint32_t)attr->config);
	const char *kept = list_texts_keep(texts, or_die(strdup(name)));

	return (struct list_event){
		.origin = PMUQ_FROM_GENERIC,
		.name = kept,
		.terms = list_texts_keep(texts, terms),
		.unit = encoding->unit.p,
		.scale = encoding->scale.p,
		.string = kept,
	};
}

/* If the PMU has a file of that name, it is the same event: without --from it is listed once.
 */
static bool is_repeated(const struct list_sources *sources, const struct pmuq_pmu *pmu,
			const char *name)
{
	for (size_t i = 0; !sources->from && i < pmu->definition->n_events; i++)
		if (strcmp(pmuq_pmu_event(pmu, i)->name.p, name) == 0)
			return true;
	return false;
}

static void add_generic(struct list_sources *sources, const struct pmuq_pmu *pmu)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .from = PMUQ_FROM_GENERIC };
	char name[PMUQ_GENERIC_NAME_MAX];

	if (!pmu->is_core && !(pmu->has_type && pmu->type == PQ_TYPE_SOFTWARE))
		return;
	for (size_t i = 0; pmuq_generic_name(i, name); i++) {
		cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;

		if (is_repeated(sources, pmu, name))
			continue;
		optional_or_die(
			pmuq_catalog_encode(sources->catalog, name, &options, &encodings, NULL));
		for (size_t k = 0; encodings && k < pmuq_encodings_count(encodings); k++) {
			const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, k);
			const char *on = encoding->pmu.p;

			if (on && strcmp(on, pmu->name.p) == 0)
				push_or_die(&sources->gathered,
					    list_generic_event(&sources->texts, name, encoding));
		}
	}
}

enum status list_sources_gather(struct list_sources *sources, const struct pmuq_pmu *pmu,
				const struct list_events **ret)
{
	struct machine_pmu named;

	sources->gathered.n = 0;
	if (is_wanted(sources, PMUQ_FROM_SYSFS))
		add_files(sources, pmu);
	if (is_wanted(sources, PMUQ_FROM_GENERIC))
		add_generic(sources, pmu);
	add_table(sources, pmu);
	*ret = &sources->gathered;
	named = machine_pmu_of(pmu);
	return sources->pfm ? list_pfm_add(sources->pfm, &named, &sources->gathered) : STATUS_OK;
}

size_t list_count_events(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu)
{
	struct list_sources sources = { .catalog = catalog };
	size_t n;

	if (pmu->has_type && pmu->type == PQ_TYPE_TRACEPOINT)
		return pmuq_catalog_machine(catalog)->n_tracepoints +
		       pmuq_catalog_machine(catalog)->n_counted;
	if (!pmu->has_type || pmu->type != PQ_TYPE_SOFTWARE)
		return pmu->definition->n_events;
	add_files(&sources, pmu);
	add_generic(&sources, pmu);
	n = sources.gathered.n;
	list_sources_close(&sources);
	return n;
}

const struct pmuq_vendor_event *list_sources_find_absent(const struct list_sources *sources,
							 const char *glob)
{
	size_t n = sources->table ? pmuq_vendor_content(sources->table)->n_events : 0;

	for (size_t i = 0; i < n; i++) {
		const struct pmuq_vendor_event *event = pmuq_vendor_get(sources->table, i);

		if (fnmatch(glob, event->event->name.p, FNM_CASEFOLD) == 0)
			return event;
	}
	return NULL;
}

void list_sources_close(struct list_sources *sources)
{
	vendor_closep(&sources->table);
	list_pfm_close(sources->pfm);
	list_texts_clear(&sources->texts);
	free(sources->gathered.v);
}
