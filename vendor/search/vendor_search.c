/* SPDX-License-Identifier: MIT */
/*
 * Searches events and metrics by the words of their names and descriptions, the best match first:
 * those that a machine counts, then others of its CPU, then all others. Events with all words in
 * their names come first, the shortest names first, then events with all words anywhere; if there
 * are none, events with any word. To rank a text takes microseconds: if more than RANKED_MAX match,
 * those with the shortest names are ranked.
 */
#include "core/buf.h"
#include "core/catalog/source.h"
#include "core/limits.h"
#include "vendor/search/vendor_folders.h"
#include "vendor/search/vendor_index.h"
#include "vendor/search/vendor_machine.h"
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

/* Ids of texts. */
struct found_list {
	struct found_event *v;
	size_t n;
};

struct event_search {
	struct pmuq_store *store;
	struct pmuq_str words;
	struct pmuq_source *source; /* or NULL */
	bool with_pfm;
	size_t enough, limit;
	struct pq_vendor_machine machine; /* in the scratch */
	struct pq_vendor_folders folders; /* too */
	struct pq_arena scratch;
	struct found_list absent; /* of the CPU, on PMUs that the machine does not have */
	struct pmuq_found *found;
};

/* ---- texts that match */

/* There are few: the limit is what a user reads. */
static bool is_known(const struct found_event *v, size_t n, int64_t id)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].id == id)
			return true;
	return false;
}

/* Adds the text unless it was found before. */
static void add_match(struct event_search *search, const struct pq_vendor_query *query,
		      const struct pq_vendor_match *match)
{
	struct pmuq_found *found = search->found;
	struct found_list *absent = &search->absent;
	struct found_event event = {
		.record = { .size = sizeof(struct pmuq_found_event),
			    .match = query->match,
			    .is_of_cpu = query->of != NULL },
		.id = match->id,
	};

	event.record.is_here = event.record.is_of_cpu &&
			       pq_vendor_machine_has(search->store, &search->machine, match->pmu);
	if (is_known(found->v, found->n, match->id) ||
	    (event.record.is_of_cpu && is_known(absent->v, absent->n, match->id)))
		return;
	if (!event.record.is_of_cpu || event.record.is_here)
		found->v[found->n++] = event;
	else if (absent->n < search->limit)
		absent->v[absent->n++] = event;
}

/* Adds the texts that match, the best first, after the texts found before. */
static void find_matches(struct event_search *search, enum pmuq_match match,
			 struct pq_vendor_machine *of)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	const struct pmuq_found *found = search->found;
	size_t most = search->limit + found->n;
	struct pq_vendor_query query = { .match = match, .of = of };
	struct pq_vendor_match row;

	if (found->n >= search->enough)
		return;
	if (!pq_vendor_query_make(search->store, search->words, match, &text))
		pq_store_fail_memory(search->store);
	query.text = pq_buf_str(&text);
	query.most = of ? INT32_MAX : (int64_t)most;
	/* To rank costs more than to find. */
	if (match != PMUQ_MATCH_NAME)
		query.ranked = (int64_t)(most > RANKED_MAX ? most : RANKED_MAX);
	pq_vendor_query_begin(&stmt, search->store, &query);
	while (found->n < search->limit && pq_stmt_next(&stmt, &row, NULL))
		add_match(search, &query, &row);
}

static void add_absent(struct event_search *search)
{
	struct pmuq_found *found = search->found;
	struct found_list *absent = &search->absent;

	for (size_t i = 0; i < absent->n && found->n < search->limit; i++)
		found->v[found->n++] = absent->v[i];
	absent->n = 0;
}

/* Those of the CPU, then all. */
static void find_events(struct event_search *search)
{
	struct pq_vendor_machine *const every[] = { &search->machine, NULL };
	size_t first = search->machine.sets.n ? 0 : 1;

	for (size_t i = first; i < COUNT(every); i++) {
		find_matches(search, PMUQ_MATCH_NAME, every[i]);
		find_matches(search, PMUQ_MATCH_ALL, every[i]);
		add_absent(search);
	}
	if (search->found->n)
		return;
	for (size_t i = first; i < COUNT(every); i++) {
		find_matches(search, PMUQ_MATCH_ANY, every[i]);
		add_absent(search);
	}
}

/* ---- facts about the texts */

/* Row struct: struct found_event. CPUs can have different events of one name: unless it is an event
 * of the CPU, the terms are unknown then. */
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
	{ PQ_COLUMN_AS(struct found_event, record.compat, "min(compat)") },
	{ PQ_COLUMN_AS(struct found_event, record.formula, "''") },
};

static const struct pq_column metric_columns[] = {
	{ PQ_COLUMN_AS(struct found_event, record.pmu, "pmu") },
	{ PQ_COLUMN_AS(struct found_event, record.name, "name") },
	{ PQ_COLUMN_AS(struct found_event, record.topic, "topic") },
	{ PQ_COLUMN_AS(struct found_event, record.description, "description") },
	{ PQ_COLUMN_AS(struct found_event, record.long_description, "long_description") },
	{ PQ_COLUMN_AS(struct found_event, record.terms, "''") },
	{ PQ_COLUMN_AS(struct found_event, record.compat, "compat") },
	{ PQ_COLUMN_AS(struct found_event, record.formula, "expression") },
};

/* The rows of other CPUs are not read: the index by texts has the sets. CROSS JOIN makes SQLite
 * begin with the text, so that nothing is sorted. */
#define LISTED "(?2 = '' OR " PQ_VENDOR_IS_LISTED("vendor_set") ")"
#define OF_TEXT(table)                                                                             \
	"FROM vendor_text CROSS JOIN (SELECT vendor_set, position FROM " table                     \
	" WHERE vendor_text = ?1 AND " LISTED ") AS listed ON vendor_text.id = ?1"                 \
	" JOIN " table " USING (vendor_set, position)"

/* False: no CPU has the event or metric any more. */
static bool load_event(const struct event_search *search, struct found_event *event)
{
	struct pmuq_str sets = event->record.is_of_cpu ? search->machine.sets : STR("");

	return pq_sql_row(
		       search->store,
		       PQ_QUERY(event_columns, OF_TEXT("vendor_event") " GROUP BY vendor_text.id"),
		       PQ_PARAMS(event->id, sets), event, &search->found->arena) ||
	       pq_sql_row(search->store,
			  PQ_QUERY(metric_columns, OF_TEXT("vendor_metric") " LIMIT 1"),
			  PQ_PARAMS(event->id, sets), event, &search->found->arena);
}

static void load_folders(struct event_search *search, struct found_event *event)
{
	struct pq_buf folders = PQ_BUF_IN(&search->found->arena);

	event->record.is_libpfm4 = pq_vendor_folders_print(
		search->store, &search->folders, event->id, event->record.formula.n > 0, &folders);
	event->record.folders = pq_buf_str(&folders);
	if (folders.failed)
		pq_store_fail_memory(search->store);
}

/* Without FTS5 a deleted text can remain in the index: it is left out. */
static void load_found(struct event_search *search)
{
	struct pmuq_found *found = search->found;
	size_t n = 0;

	for (size_t i = 0; search->store->r == 0 && i < found->n; i++) {
		struct found_event event = found->v[i];

		if (!load_event(search, &event))
			continue;
		load_folders(search, &event);
		if (event.record.is_here && event.record.compat.n)
			event.record.is_here =
				pq_vendor_machine_matches(search->store, &search->machine,
							  event.record.pmu, event.record.compat);
		found->v[n++] = event;
	}
	found->n = n;
}

/* ---- API */

static void read_machine(struct event_search *search)
{
	search->machine = (struct pq_vendor_machine){ .arena = &search->scratch, .sets = STR("") };
	if (!search->source)
		return;
	search->machine.lookup = search->source->lookup;
	pq_vendor_machine_read(search->store, &search->machine, search->with_pfm);
}

static void search_within(struct pmuq_store *store, void *arg)
{
	struct event_search *search = arg;
	struct pmuq_found *found = calloc(1, sizeof(*found));

	pmuq_found_free(search->found);
	pq_arena_clear(&search->scratch);
	search->store = store;
	search->found = found;
	search->scratch = PQ_ARENA(PQ_SEARCH_MAX_BYTES);
	search->folders = (struct pq_vendor_folders){ .arena = &search->scratch };
	search->absent = (struct found_list){
		.v = pq_arena_array(&search->scratch, search->limit, sizeof(*search->absent.v)),
	};
	if (found) {
		found->arena = PQ_ARENA(PQ_SEARCH_MAX_BYTES);
		found->v = pq_arena_array(&found->arena, search->limit, sizeof(*found->v));
	}
	if (!found || !found->v || !search->absent.v) {
		pq_store_fail_memory(store);
		return;
	}
	if (!pq_vendor_index_is_filled(store))
		return;
	read_machine(search);
	find_events(search);
	load_found(search);
}

static int search_all(struct pmuq_store *store, struct event_search *search,
		      struct pmuq_found **ret, struct pmuq_error **reterr)
{
	int r;

	if (!pq_vendor_query_has_word(search->words) || !search->enough ||
	    search->enough > search->limit || search->limit > LIMIT_MAX)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "a search needs a word, and a limit of 1 to %u events", LIMIT_MAX);
	r = pq_store_read(store, "cannot search", search_within, search, reterr);
	pq_arena_clear(&search->scratch);
	if (r == 0)
		*ret = search->found;
	else
		pmuq_found_free(search->found);
	return r;
}

PQ_API int pmuq_store_search(struct pmuq_store *store, const char *words, size_t limit,
			     struct pmuq_found **ret, struct pmuq_error **reterr)
{
	struct event_search search = { .words = str_trim(str_of(words ? words : "")),
				       .enough = limit,
				       .limit = limit };

	return search_all(store, &search, ret, reterr);
}

PQ_API int pmuq_store_search_machine(struct pmuq_store *store, const char *words,
				     struct pmuq_source *source, bool with_pfm, size_t enough,
				     size_t limit, struct pmuq_found **ret,
				     struct pmuq_error **reterr)
{
	struct event_search search = {
		.words = str_trim(str_of(words ? words : "")),
		.source = source,
		.with_pfm = with_pfm,
		.enough = enough,
		.limit = limit,
	};

	return search_all(store, &search, ret, reterr);
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
