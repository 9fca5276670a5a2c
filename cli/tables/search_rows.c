/* SPDX-License-Identifier: MIT */
/*
 * Searches one source after the other, then sorts. Events of the machine itself are compared here,
 * word by word; imported ones by the database, which has an index. An event that is in both is one
 * row.
 */
#include "cli/tables/search_rows.h"
#include "cli/database.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/tables/instances.h"
#include "core/instance.h"
#include <string.h>
#include <strings.h>

/* Needed by all sources. */
struct row_search {
	struct search_rows *rows;
	const struct search_query *query;
	const struct cli *cli;
	struct pmuq_store *store; /* or NULL */
};

/* Whether --from permits one of these sources. */
static bool is_wanted(const struct row_search *search, unsigned from)
{
	return !search->query->from || search->query->from & from;
}

static void add(struct search_rows *rows, const struct search_row *row)
{
	push_or_die(rows, *row);
	rows->v[rows->n - 1].order = rows->n - 1;
}

/* Whether the row matches the words; sets how well. */
static bool matches(const struct row_search *search, struct search_row *row)
{
	const struct search_texts texts = {
		.name = row->name,
		.pmu = row->pmu,
		.brief = row->description,
		.more = row->more,
	};

	return search_words_find(&search->query->words, &texts, &row->match);
}

/* Adds a row of the machine or its CPU if it matches the words. */
static void consider(struct row_search *search, struct search_row *row)
{
	row->is_here = !row->is_absent;
	if (matches(search, row))
		add(search->rows, row);
}

/* ---------------------------------------------------------------------------------- the machine */

/* "uncore_imc" for "uncore_imc_0" if there are several instances. */
static size_t name_length(const struct instances *instances)
{
	struct pmuq_str name = instances->v[0]->name, stem = name;
	uint32_t number;

	if (instances->n > 1)
		pq_instance_number(name, &stem, &number);
	return stem.n < name.n && stem.n > 1 && str_ends(stem, STR("_")) ? stem.n - 1 : stem.n;
}

/* The event string for all instances, "uncore_imc/clockticks/". */
static void consider_event(struct row_search *search, const struct instances *instances,
			   const char *names, const struct list_event *event)
{
	struct search_row row = {
		.origin = event->origin,
		.pmu = names,
		.name = event->name,
		.string = event->string,
		.terms = event->terms,
	};

	if (!row.string)
		row.string = list_texts_keep(&search->rows->texts,
					     print_or_die("%.*s/%s/", (int)name_length(instances),
							  instances->v[0]->name.p, event->name));
	consider(search, &row);
}

/* Sibling instances have the same events. */
static enum status search_instances(struct row_search *search, const struct instances *instances)
{
	const char *names = list_texts_keep(&search->rows->texts, instances_names(instances));
	const struct list_events *events;
	enum status status = list_sources_gather(&search->rows->sources, instances->v[0], &events);

	for (size_t i = 0; status == STATUS_OK && i < events->n; i++)
		consider_event(search, instances, names, &events->v[i]);
	return status;
}

static enum status search_machine(struct row_search *search)
{
	const struct pmuq_catalog *catalog = search->rows->catalog;
	unsigned from = PMUQ_FROM_SYSFS | PMUQ_FROM_GENERIC;
	enum status status = STATUS_OK;

	if (!is_wanted(search, from))
		return STATUS_OK;
	search->rows->sources.catalog = catalog;
	search->rows->sources.from = search->query->from ? search->query->from & from : from;
	for (size_t i = 0, end; status == STATUS_OK && i < pmuq_catalog_machine(catalog)->n_pmus;
	     i = end) {
		struct instances instances = { 0 };

		for (end = i; end < pmuq_catalog_machine(catalog)->n_pmus; end++) {
			const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, end);

			if (end > i && !instances_are_equal(instances.v[0], pmu))
				break;
			push_or_die(&instances, pmu);
		}
		status = search_instances(search, &instances);
		pq_vec_free(&instances);
	}
	return status;
}

/* They have no descriptions: the subsystem and the name are all that words can match. */
static void search_tracepoints(struct row_search *search)
{
	struct search_rows *rows = search->rows;
	const struct pmuq_tracepoint *tracepoint;

	if (!is_wanted(search, PMUQ_FROM_TRACEPOINT))
		return;
	for (size_t i = 0; (tracepoint = pmuq_catalog_tracepoint(rows->catalog, i)); i++) {
		char *name = print_or_die("%s:%s", tracepoint->subsystem.p, tracepoint->name.p);
		struct search_row row = {
			.origin = PMUQ_FROM_TRACEPOINT,
			.pmu = "tracepoint",
			.name = list_texts_keep(&rows->texts, name),
			.string = name,
		};

		consider(search, &row);
	}
}

/* ------------------------------------------------------------- names for the events of its CPU */

/* Whether a PMU of the machine has the event of its CPU's table. */
static bool has_event(const struct search_rows *rows, const char *pmu, const char *name)
{
	const struct pmuq_vendor_event *event;

	for (size_t i = 0; i < pmuq_catalog_machine(rows->catalog)->n_pmus; i++) {
		event = pmuq_vendor_find_event(rows->table, pmuq_catalog_pmu(rows->catalog, i),
					       name);
		if (event && strcmp(event->pmu.p, pmu) == 0)
			return true;
	}
	return false;
}

/* The table of the machine's CPU, if it was imported. */
static enum status search_table(struct row_search *search)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const char *cpuid = pmuq_catalog_find_fact(search->rows->catalog, "cpuid");
	int r;

	if (!search->store || !cpuid || !is_wanted(search, PMUQ_FROM_JSON))
		return STATUS_OK;
	r = pmuq_store_open_vendor(search->store, cpuid, &search->rows->table, &error);
	if (r < 0)
		return r == -PMUQ_E_NO_VENDOR_TABLE ? STATUS_OK : report_error(error, NULL);
	for (size_t i = 0; i < pmuq_vendor_content(search->rows->table)->n_events; i++) {
		const struct pmuq_vendor_event *event = pmuq_vendor_get(search->rows->table, i);
		struct search_row row = {
			.origin = PMUQ_FROM_JSON,
			.cpus = pmuq_vendor_content(search->rows->table)->folder.p,
			.pmu = event->pmu.p,
			.name = event->event->name.p,
			.string = event->event->name.p,
			.terms = event->event->terms.p,
			.topic = event->topic.p,
			.description = event->description.p,
			.more = event->long_description.p,
			.is_absent = !has_event(search->rows, event->pmu.p, event->event->name.p),
			.is_deprecated = event->is_deprecated,
		};

		consider(search, &row);
	}
	return STATUS_OK;
}

/* "skx" of "skx::MEM_LOAD_RETIRED:L3_MISS". */
static const char *pfm_pmu(struct search_rows *rows, const char *string)
{
	return list_texts_keep(&rows->texts, or_die(strndup(string, strcspn(string, ":"))));
}

static bool is_of(const char *pmu, const char *string)
{
	size_t n = pmu ? strlen(pmu) : 0;

	return pmu && strncmp(pmu, string, n) == 0 && string[n] == ':';
}

static enum status search_libpfm4(struct row_search *search)
{
	struct search_rows *rows = search->rows;
	const char *pmu = NULL;
	enum status status = pfm_reader_take(&rows->pfm, rows->catalog, &rows->names);

	for (size_t i = 0; status == STATUS_OK && i < rows->names.n; i++) {
		const struct list_event *event = &rows->names.v[i];
		struct search_row row = {
			.origin = PMUQ_FROM_PFM,
			.pmu = pmu,
			.name = event->name,
			.string = event->string,
			.description = event->description,
			.is_absent = event->is_absent,
		};

		/* Rows of a PMU are adjacent. */
		if (!is_of(pmu, event->string))
			row.pmu = pmu = pfm_pmu(rows, event->string);
		consider(search, &row);
	}
	return status;
}

/* ----------------------------------------------------------------------------- imported events */

/* Whether the folder is in a list like "x86/icelakex, x86/skylakex". */
static bool is_among(const char *folders, const char *folder)
{
	size_t n = strlen(folder);

	while (folders && *folders) {
		if (strncmp(folders, folder, n) == 0 && (!folders[n] || folders[n] == ','))
			return true;
		folders = strstr(folders, ", ");
		folders = folders ? folders + 2 : NULL;
	}
	return false;
}

static bool is_same(const struct search_row *a, const struct search_row *b)
{
	return a->origin == b->origin && a->is_metric == b->is_metric &&
	       strcasecmp(a->name, b->name) == 0 && strcmp(a->pmu, b->pmu) == 0;
}

/* An event of the machine that was also imported is one row, with all its CPUs. */
static void add_found(struct search_rows *rows, struct search_row *row, size_t n_here)
{
	bool is_table = row->origin == PMUQ_FROM_JSON;
	bool is_own = is_table && rows->table &&
		      is_among(row->cpus, pmuq_vendor_content(rows->table)->folder.p);

	row->is_here = is_own && (row->is_metric || has_event(rows, row->pmu, row->name));
	row->is_absent = is_own && !row->is_here;
	for (size_t i = 0; (!is_table || is_own) && i < n_here; i++) {
		if (!is_same(&rows->v[i], row))
			continue;
		if (is_table)
			rows->v[i].cpus = row->cpus;
		return;
	}
	add(rows, row);
}

/* A row of the database, of which `n_here` rows may be the same event. */
static void take_found(struct row_search *search, size_t index, size_t n_here)
{
	struct search_rows *rows = search->rows;
	const struct pmuq_found_event *found = pmuq_found_get(rows->found, index);
	bool is_pfm = found->is_libpfm4;
	struct search_row row = {
		.origin = is_pfm ? PMUQ_FROM_PFM : PMUQ_FROM_JSON,
		.cpus = is_pfm ? NULL : found->folders.p,
		.pmu = found->pmu.p,
		.name = found->name.p,
		.string = found->name.p,
		.terms = is_pfm ? NULL : found->terms.p,
		.topic = found->topic.p,
		.description = found->description.p,
		.more = found->long_description.p,
		.is_deprecated = found->is_deprecated,
		.is_metric = found->formula.n > 0,
	};

	if (!is_wanted(search, row.origin))
		return;
	if (is_pfm)
		row.string =
			list_texts_keep(&rows->texts, print_or_die("%s::%s", row.pmu, row.name));
	/* Matches that only the database's stemmer finds ("cas" in "cache") come last. */
	if (!matches(search, &row) || row.match.match > found->match)
		row.match.match = found->match == PMUQ_MATCH_ANY ? PMUQ_MATCH_ANY : PMUQ_MATCH_ALL;
	add_found(rows, &row, n_here);
}

static bool has_imports(struct pmuq_store *store)
{
	struct pmuq_vendors *vendors = NULL;
	bool has = store && optional_or_die(pmuq_store_list_vendors(store, &vendors, NULL)) == 0 &&
		   pmuq_vendors_count(vendors) > 0;

	pmuq_vendors_free(vendors);
	return has;
}

/* More than are printed, since some of them are also among the machine's events. */
static enum status search_imports(struct row_search *search)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	size_t limit = 3 * search->query->limit;
	int r;

	if (!search->store || !is_wanted(search, PMUQ_FROM_JSON | PMUQ_FROM_PFM))
		return STATUS_OK;
	r = pmuq_store_search(search->store, search->query->text, limit < 10000 ? limit : 10000,
			      &search->rows->found, &error);
	return r < 0 ? report_error(error, NULL) : STATUS_OK;
}

static void take_imports(struct row_search *search)
{
	size_t n_here = search->rows->n;

	for (size_t i = 0; search->rows->found && i < pmuq_found_count(search->rows->found); i++)
		take_found(search, i, n_here);
}

/* --------------------------------------------------------------------------------- all of it */

/* The default database may be missing; that of --db may not. */
static enum status open_store(struct row_search *search)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path_if_there(search->cli);

	if (!path || !is_wanted(search, PMUQ_FROM_JSON | PMUQ_FROM_PFM))
		return STATUS_OK;
	if (database_read_path(path, &search->store, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

/* 2: this machine can count the event; 1: its CPU could; 0: neither. */
static unsigned nearness(const struct search_row *row)
{
	return row->is_here ? 2 : row->is_absent;
}

/* Sort order: all words before some; events that this machine can count; the quality of the match;
 * recommended events; the score; the order of the sources. */
static int compare(const void *a, const void *b)
{
	const struct search_row *left = a, *right = b;
	bool is_some = left->match.match == PMUQ_MATCH_ANY;

	if (is_some != (right->match.match == PMUQ_MATCH_ANY))
		return is_some ? 1 : -1;
	if (nearness(left) != nearness(right))
		return nearness(left) > nearness(right) ? -1 : 1;
	if (left->match.match != right->match.match)
		return left->match.match < right->match.match ? -1 : 1;
	if (left->is_deprecated != right->is_deprecated)
		return left->is_deprecated ? 1 : -1;
	if (left->match.score != right->match.score)
		return left->match.score > right->match.score ? -1 : 1;
	if (left->origin != right->origin)
		return left->origin < right->origin ? -1 : 1;
	return left->order < right->order ? -1 : 1;
}

/* If no event has all words, events with some of them are enough. */
static void choose(struct search_rows *rows, size_t limit)
{
	size_t n = 0;

	if (rows->n)
		qsort(rows->v, rows->n, sizeof(*rows->v), compare);
	while (n < rows->n && n < limit &&
	       (rows->v[n].match.match != PMUQ_MATCH_ANY ||
		rows->v[0].match.match == PMUQ_MATCH_ANY))
		n++;
	rows->n = n;
}

static enum status search_all(struct row_search *search)
{
	enum status status;

	status = open_store(search);
	if (status == STATUS_OK)
		status = search_machine(search);
	if (status == STATUS_OK)
		search_tracepoints(search);
	if (status == STATUS_OK)
		status = search_table(search);
	if (status == STATUS_OK)
		status = search_imports(search);
	if (status == STATUS_OK)
		status = search_libpfm4(search);
	if (status == STATUS_OK)
		take_imports(search);
	return status;
}

/* libpfm4 needs only the CPU: it is read at the same time. */
static enum status read_machine(struct row_search *search)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct search_rows *rows = search->rows;
	struct pfm_reader *pfm = &rows->pfm;

	if (pmuq_source_find_fact(rows->source, "cpuid", &pfm->cpuid, &error) < 0)
		return report_error(error, NULL);
	pfm->is_named = search->query->from & PMUQ_FROM_PFM;
	pfm->is_live = pmuq_source_is_live(rows->source);
	if (is_wanted(search, PMUQ_FROM_PFM))
		pfm_reader_begin(pfm);
	if (pmuq_source_read_catalog(rows->source, &rows->catalog, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

enum status search_rows_find(struct search_rows *rows, const struct cli *cli,
			     const struct search_query *query)
{
	struct row_search search = { .rows = rows, .query = query, .cli = cli };
	enum status status;

	status = source_open(cli, &rows->source);
	if (status == STATUS_OK)
		status = read_machine(&search);
	if (status == STATUS_OK)
		status = search_all(&search);
	if (status != STATUS_OK)
		return status;
	choose(rows, query->limit);
	rows->needs_import = !rows->n && !has_imports(search.store);
	return STATUS_OK;
}

void search_rows_clear(struct search_rows *rows)
{
	pfm_reader_close(&rows->pfm);
	list_sources_close(&rows->sources);
	list_texts_clear(&rows->texts);
	free(rows->names.v);
	pq_vec_free(rows);
	pmuq_found_free(rows->found);
	pmuq_vendor_free(rows->table);
	pmuq_catalog_free(rows->catalog);
	pmuq_source_free(rows->source);
}
