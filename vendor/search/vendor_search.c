/* SPDX-License-Identifier: MIT */
/*
 * Searches events and metrics by the words of their names and descriptions, the best match first.
 * Events with all words in their names come first (they are few, and ranked quickly), then events
 * with all words anywhere; if there are none, events with any word. Ranking a text takes
 * microseconds, so for words that most texts contain only RANKED_MAX texts are ranked: those with
 * the shortest names.
 */
#include "core/buf.h"
#include "core/limits.h"
#include "vendor/search/vendor_index.h"
#include "vendor/search/vendor_query.h"
#include "vendor/vendor_sets.h"

#define LIMIT_MAX 10000u
/* At least as many as the caller wants are ranked. */
#define RANKED_MAX 1000

struct found_event {
	struct pmuq_found_event record; /* what the API returns */
	int64_t id;
};

struct pmuq_found {
	struct pq_arena arena;
	struct found_event *v;
	size_t n;
};

struct event_search {
	struct pmuq_store *store;
	struct pmuq_str words;
	size_t limit;
	struct pmuq_found *found;
};

/* ---- texts that match */

/* There are few: the limit is what a user reads. */
static bool is_known(const struct pmuq_found *found, int64_t id)
{
	for (size_t i = 0; i < found->n; i++)
		if (found->v[i].id == id)
			return true;
	return false;
}

/* Adds the texts that match, the best first, after the texts found before. */
static void add_matches(const struct event_search *search, struct pmuq_str query,
			enum pmuq_match match)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_found *found = search->found;
	size_t most = search->limit + found->n;
	size_t ranked = most > RANKED_MAX ? most : RANKED_MAX;
	int64_t id;

	pq_vendor_query_begin(&stmt, search->store, query, (int64_t)ranked, (int64_t)most);
	while (found->n < search->limit && pq_stmt_next(&stmt, &id, NULL))
		if (!is_known(found, id))
			found->v[found->n++] = (struct found_event){
				.record = { .size = sizeof(struct pmuq_found_event),
					    .match = match },
				.id = id,
			};
}

/* In the order of the results. */
static const enum pmuq_match matches[] = { PMUQ_MATCH_NAME, PMUQ_MATCH_ALL, PMUQ_MATCH_ANY };

static void find_events(const struct event_search *search)
{
	const struct pmuq_found *found = search->found;

	for (size_t i = 0; i < COUNT(matches); i++) {
		cleanup(pq_buf_free) struct pq_buf query = PQ_BUF_NULL;

		if (found->n == search->limit || (found->n && matches[i] == PMUQ_MATCH_ANY))
			return;
		if (!pq_vendor_query_make(search->store, search->words, matches[i], &query))
			pq_store_fail_memory(search->store);
		add_matches(search, pq_buf_str(&query), matches[i]);
	}
}

/* ---- facts about the texts */

/* Row struct: struct found_event. CPUs can have different events of one name: the terms are unknown
 * then. */
static const struct pq_column event_columns[] = {
	{ PQ_COLUMN_AS(struct found_event, record.pmu, "pmu") },
	{ PQ_COLUMN_AS(struct found_event, record.name, "name") },
	{ PQ_COLUMN_AS(struct found_event, record.topic, "topic") },
	{ PQ_COLUMN_AS(struct found_event, record.description, "description") },
	{ PQ_COLUMN_AS(struct found_event, record.long_description, "long_description") },
	{ PQ_COLUMN_AS(struct found_event, record.is_deprecated, "min(is_deprecated)") },
	{ PQ_COLUMN_AS(struct found_event, record.terms,
		       "CASE WHEN min(terms) = max(terms) THEN min(terms) END"),
	  .is_nullable = true },
	{ PQ_COLUMN_AS(struct found_event, record.formula, "''") },
};

static const struct pq_column metric_columns[] = {
	{ PQ_COLUMN_AS(struct found_event, record.pmu, "pmu") },
	{ PQ_COLUMN_AS(struct found_event, record.name, "name") },
	{ PQ_COLUMN_AS(struct found_event, record.topic, "topic") },
	{ PQ_COLUMN_AS(struct found_event, record.description, "description") },
	{ PQ_COLUMN_AS(struct found_event, record.long_description, "long_description") },
	{ PQ_COLUMN_AS(struct found_event, record.terms, "''") },
	{ PQ_COLUMN_AS(struct found_event, record.formula, "expression") },
};

/* False: no CPU has the event or metric any more. */
static bool load_event(struct pmuq_store *store, struct pq_arena *arena, struct found_event *event)
{
	return pq_sql_row(
		       store,
		       PQ_QUERY(event_columns,
				"FROM vendor_event JOIN vendor_text ON vendor_text.id = vendor_text"
				" WHERE vendor_text = ? GROUP BY vendor_text.id"),
		       PQ_PARAMS(event->id), event, arena) ||
	       pq_sql_row(
		       store,
		       PQ_QUERY(
			       metric_columns,
			       "FROM vendor_metric JOIN vendor_text ON vendor_text.id = vendor_text"
			       " WHERE vendor_text = ? LIMIT 1"),
		       PQ_PARAMS(event->id), event, arena);
}

struct folder_row {
	struct pmuq_str arch, path;
	bool is_libpfm4;
};

static const struct pq_column folder_columns[] = {
	{ PQ_COLUMN(struct folder_row, arch) },
	{ PQ_COLUMN(struct folder_row, path) },
	{ PQ_COLUMN_AS(struct folder_row, is_libpfm4, "layout = 'libpfm4'") },
};

/* The folders of the rows of a table with that text. */
#define FOLDERS_OF(table)                                                                          \
	PQ_QUERY(folder_columns, "FROM " table " JOIN vendor_folder USING (vendor_set)"            \
				 " JOIN vendor ON vendor.id = vendor_folder.vendor"                \
				 " WHERE vendor_text = ? GROUP BY arch, path, layout"              \
				 " ORDER BY arch, path")

static void load_folders(struct pmuq_store *store, struct pq_arena *arena,
			 struct found_event *event)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_buf folders = PQ_BUF_IN(arena);
	struct folder_row row;

	pq_stmt_begin(&stmt, store,
		      event->record.formula.n ? FOLDERS_OF("vendor_metric")
					      : FOLDERS_OF("vendor_event"),
		      PQ_PARAMS(event->id));
	while (pq_stmt_next(&stmt, &row, NULL)) {
		event->record.is_libpfm4 = row.is_libpfm4;
		pq_buf_print(&folders, "%s%.*s/%.*s", folders.n ? ", " : "", STR_ARG(row.arch),
			     STR_ARG(row.path));
	}
	event->record.folders = pq_buf_str(&folders);
	if (folders.failed)
		pq_store_fail_memory(store);
}

/* Without FTS5 a deleted text can remain in the index: it is left out. */
static void load_found(struct pmuq_store *store, struct pmuq_found *found)
{
	size_t n = 0;

	for (size_t i = 0; store->r == 0 && i < found->n; i++) {
		struct found_event event = found->v[i];

		if (!load_event(store, &found->arena, &event))
			continue;
		load_folders(store, &found->arena, &event);
		found->v[n++] = event;
	}
	found->n = n;
}

/* ---- API */

static void search_within(struct pmuq_store *store, void *arg)
{
	struct event_search *search = arg;
	struct pmuq_found *found = calloc(1, sizeof(*found));

	pmuq_found_free(search->found);
	search->store = store;
	search->found = found;
	if (found) {
		found->arena = PQ_ARENA(PQ_SEARCH_MAX_BYTES);
		found->v = pq_arena_array(&found->arena, search->limit, sizeof(*found->v));
	}
	if (!found || !found->v) {
		pq_store_fail_memory(store);
		return;
	}
	if (!pq_vendor_index_is_filled(store))
		return;
	find_events(search);
	load_found(store, found);
}

PQ_API int pmuq_store_search(struct pmuq_store *store, const char *words, size_t limit,
			     struct pmuq_found **ret, struct pmuq_error **reterr)
{
	struct event_search search = { .words = str_trim(str_of(words ? words : "")),
				       .limit = limit };
	int r;

	if (!pq_vendor_query_has_word(search.words) || !limit || limit > LIMIT_MAX)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "a search needs a word, and a limit of 1 to %u events", LIMIT_MAX);
	r = pq_store_read(store, "cannot search", search_within, &search, reterr);
	if (r == 0)
		*ret = search.found;
	else
		pmuq_found_free(search.found);
	return r;
}

PQ_API void pmuq_found_free(struct pmuq_found *found)
{
	if (!found)
		return;
	pq_arena_clear(&found->arena);
	free(found);
}

PQ_API size_t pmuq_found_count(const struct pmuq_found *found)
{
	return found->n;
}

PQ_API const struct pmuq_found_event *pmuq_found_get(const struct pmuq_found *found, size_t index)
{
	return index < found->n ? &found->v[index].record : NULL;
}
