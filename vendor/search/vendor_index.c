/* SPDX-License-Identifier: MIT */
/*
 * The index for searches, a table of FTS5 over vendor_text. It exists only if the loaded SQLite has
 * FTS5, so it is not part of the schema, and every use checks for it first. An import with FTS5
 * also indexes the texts of earlier imports without it.
 */
#include "vendor/search/vendor_index.h"
#include "core/limits.h"
#include "db/engine.h"
#include "db/ids.h"
#include "db/schema.h"
#include "vendor/search/vendor_query.h"

static const char make_index[] = PQ_SCHEMA_INDEX ";"
						 "INSERT INTO vendor_words (vendor_words, rank)"
						 " VALUES ('rank', 'bm25(12.0, 6.0, 4.0, 1.0)')";

/* As it is indexed. */
#define PMU "iif(pmu IN " PQ_VENDOR_COMMON_PMUS ", '', pmu)"
/* The row of a text: short names first (schema.sql). Rows are added and removed in their order:
 * FTS5 writes all that it has in memory whenever a row is below the last one. */
#define LENGTH "length(CAST(name AS BLOB)) + length(CAST(" PMU " AS BLOB))"
#define ROW "((min(" LENGTH ", 1023) << 40) | id)"
#define ID "(id & 0xffffffffff)"

/* Of a database of SQLite. */
struct index_state {
	bool has_index, has_import, has_unindexed;
};

static const struct pq_column state_columns[] = {
	{ PQ_COLUMN_AS(struct index_state, has_index,
		       "EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'vendor_words')") },
	{ PQ_COLUMN_AS(struct index_state, has_import, "EXISTS (SELECT 1 FROM vendor)") },
	{ PQ_COLUMN_AS(struct index_state, has_unindexed,
		       "EXISTS (SELECT 1 FROM vendor WHERE is_indexed = 0)") },
};

/* All false after an error. */
static struct index_state read_state(struct pmuq_store *store)
{
	struct index_state state = { 0 };

	pq_sql_row(store, PQ_QUERY(state_columns, ""), PQ_NO_PARAMS, &state, NULL);
	return state;
}

/* PostgreSQL's index is a part of its schema. */
static bool has_fts5(struct pmuq_store *store)
{
	return !store->engine->has_index && store->engine->begin_search(store);
}

static void add_texts(struct pmuq_store *store)
{
	if (!read_state(store).has_index && store->r == 0)
		pq_store_exec(store, make_index);
	pq_sql_run(store,
		   "INSERT INTO vendor_words (rowid, name, pmu, description, long_description)"
		   " SELECT " ROW ", name, " PMU ", description, long_description FROM vendor_text"
		   " WHERE id > (SELECT coalesce(max" ID
		   ", 0) FROM vendor_words_docsize) ORDER BY 1",
		   PQ_NO_PARAMS);
}

/* The ids of the texts of one set, as db/ids.h writes them. */
static void list_texts(struct pmuq_store *store, int64_t set)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	cleanup(pq_buf_free) struct pq_buf texts = PQ_BUF_NULL;
	int64_t id, before = 0;

	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(pq_one_number,
			       "SELECT vendor_text FROM vendor_event WHERE vendor_set = ?1"
			       " UNION SELECT vendor_text FROM vendor_metric WHERE vendor_set = ?1"
			       " ORDER BY 1"),
		      PQ_PARAMS(set));
	for (; pq_stmt_next(&stmt, &id, NULL); before = id)
		pq_ids_write(&texts, before, id);
	if (texts.failed)
		pq_store_fail_memory(store);
	else
		pq_sql_run(store, "UPDATE vendor_set SET texts = ? WHERE id = ?",
			   PQ_PARAMS(pq_buf_str(&texts), set));
}

static void list_all_texts(struct pmuq_store *store)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_SEARCH_MAX_BYTES);
	struct pq_rows sets = pq_sql_rows(
		store, PQ_QUERY(pq_one_number, "SELECT id FROM vendor_set WHERE texts IS NULL"),
		PQ_NO_PARAMS, sizeof(int64_t), &arena);

	for (size_t i = 0; i < sets.n; i++)
		list_texts(store, ((const int64_t *)sets.v)[i]);
}

void pq_vendor_index(struct pmuq_store *store)
{
	bool can_add = has_fts5(store);

	if (can_add) {
		add_texts(store);
		list_all_texts(store);
	}
	if (can_add || store->engine->has_index)
		pq_sql_run(store, "UPDATE vendor SET is_indexed = 1 WHERE is_indexed = 0",
			   PQ_NO_PARAMS);
}

void pq_vendor_unindex(struct pmuq_store *store)
{
	if (has_fts5(store) && read_state(store).has_index)
		pq_sql_run(store,
			   "INSERT INTO vendor_words (vendor_words, rowid, name, pmu, description,"
			   " long_description) SELECT 'delete', " ROW ", name, " PMU
			   ", description, long_description FROM vendor_text"
			   " WHERE " ROW " IN (SELECT id FROM vendor_words_docsize) AND NOT EXISTS"
			   " (SELECT 1 FROM vendor_event WHERE vendor_text = vendor_text.id)"
			   " AND NOT EXISTS"
			   " (SELECT 1 FROM vendor_metric WHERE vendor_text = vendor_text.id)"
			   " ORDER BY 2",
			   PQ_NO_PARAMS);
}

static void fail_no_search(struct pmuq_store *store, const char *why, const char *how)
{
	pq_store_refuse(store, PMUQ_E_NO_SEARCH, 0, how, "%s", why);
}

bool pq_vendor_index_is_filled(struct pmuq_store *store)
{
	struct index_state state;

	if (store->engine->has_index)
		return true;
	state = read_state(store);
	if (!state.has_import)
		return false;
	if (!has_fts5(store))
		fail_no_search(store, "the SQLite that was loaded has no FTS5",
			       "install one that was built with FTS5");
	else if (!state.has_index)
		fail_no_search(store, "the database has no index of events",
			       "`pmuq vendor import DIR` creates it");
	else if (state.has_unindexed)
		fail_no_search(store, "not all tables in the database are in its index",
			       "`pmuq vendor import` of any table, with an SQLite that has "
			       "FTS5, indexes all");
	return store->r == 0;
}
