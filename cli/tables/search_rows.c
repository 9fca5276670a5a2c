/* SPDX-License-Identifier: MIT */
/*
 * Searches one source after the other, then sorts. Names of the machine and of libpfm4 are compared
 * here, word by word; imported events by the database, which has an index.
 */
#include "cli/tables/search_rows.h"
#include "cli/database.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/tables/search_machine.h"
#include <string.h>
#include <strings.h>

/* ---- libpfm4 */

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
	enum status status = pfm_reader_take(&rows->pfm, &rows->pmus, &rows->names);

	search->first_pfm = rows->n;
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
		search_consider(search, &row);
	}
	search->end_pfm = rows->n;
	return status;
}

/* ---- imported events */

/* Names of libpfm4 that the helper has listed are rows already. */
static bool is_listed(const struct row_search *search, const struct search_row *row)
{
	for (size_t i = search->first_pfm; i < search->end_pfm; i++)
		if (strcasecmp(search->rows->v[i].string, row->string) == 0)
			return true;
	return false;
}

static void take_found(struct row_search *search, const struct pmuq_found_event *found)
{
	struct search_rows *rows = search->rows;
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
		.is_here = found->is_here,
		.is_absent = found->is_of_cpu && !found->is_here,
	};

	if (!search_wants(search, row.origin))
		return;
	if (is_pfm)
		row.string =
			list_texts_keep(&rows->texts, print_or_die("%s::%s", row.pmu, row.name));
	if (is_pfm && is_listed(search, &row))
		return;
	/* Matches that only the database's stemmer finds ("cas" in "cache") come last. */
	if (!search_matches(search, &row) || row.match.match > found->match)
		row.match.match = found->match == PMUQ_MATCH_ANY ? PMUQ_MATCH_ANY : PMUQ_MATCH_ALL;
	search_add(rows, &row);
}

static bool has_imports(struct pmuq_store *store)
{
	struct pmuq_vendors *vendors = NULL;
	bool has = store && optional_or_die(pmuq_store_list_vendors(store, &vendors, NULL)) == 0 &&
		   pmuq_vendors_count(vendors) > 0;

	pmuq_vendors_free(vendors);
	return has;
}

/* More than are printed: they are sorted again. */
#define CANDIDATES 3

static enum status search_imports(struct row_search *search)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	size_t enough = search->query->limit, limit = CANDIDATES * enough;
	int r;

	if (!search->store || !search_wants(search, PMUQ_FROM_JSON | PMUQ_FROM_PFM))
		return STATUS_OK;
	r = pmuq_store_search_machine(search->store, search->query->text, search->rows->source,
				      search->has_pfm, enough, limit < 10000 ? limit : 10000,
				      &search->rows->found, &error);
	return r < 0 ? report_error(error, NULL) : STATUS_OK;
}

static void take_imports(struct row_search *search)
{
	const struct pmuq_found *found = search->rows->found;

	for (size_t i = 0; found && i < pmuq_found_count(found); i++)
		take_found(search, pmuq_found_get(found, i));
}

/* ---- all of it */

/* The default database may be missing; that of --db may not. */
static enum status open_store(struct row_search *search)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path_if_there(search->cli);

	if (!path || !search_wants(search, PMUQ_FROM_JSON | PMUQ_FROM_PFM))
		return STATUS_OK;
	if (database_read_path(path, &search->store, &error) < 0 ||
	    (search_wants(search, PMUQ_FROM_PFM) &&
	     pmuq_store_has_pfm(search->store, &search->has_pfm, &error) < 0))
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

	status = search_machine(search);
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
	/* Of a CPU that is not in pmuq's table of CPUs, only libpfm4 knows the names. */
	search->has_pfm &= pfm->cpuid && !pmuq_pfm_is_of_cpu("", pfm->cpuid) && !pfm->is_named;
	if (search_wants(search, PMUQ_FROM_PFM) && !search->has_pfm)
		pfm_reader_begin(pfm);
	return machine_pmus_read(rows->source, &rows->pmus);
}

enum status search_rows_find(struct search_rows *rows, const struct cli *cli,
			     const struct search_query *query)
{
	struct row_search search = { .rows = rows, .query = query, .cli = cli };
	enum status status;

	status = source_open(cli, &rows->source);
	if (status == STATUS_OK)
		status = open_store(&search);
	if (status == STATUS_OK)
		status = read_machine(&search);
	if (status == STATUS_OK)
		status = search_all(&search);
	if (status != STATUS_OK)
		return status;
	choose(rows, query->limit);
	rows->needs_import = !rows->n && !has_imports(search.store);
	search_machine_terms(&search);
	return STATUS_OK;
}

void search_rows_clear(struct search_rows *rows)
{
	pfm_reader_close(&rows->pfm);
	list_texts_clear(&rows->texts);
	free(rows->names.v);
	pq_vec_free(rows);
	pmuq_found_free(rows->found);
	for (size_t i = 0; i < rows->lists.n; i++)
		pmuq_names_free(rows->lists.v[i]);
	pq_vec_free(&rows->lists);
	machine_pmus_clear(&rows->pmus);
	pmuq_source_free(rows->source);
}
