/* SPDX-License-Identifier: MIT */
/*
 * The index for searches, a table of FTS5 over vendor_text. It exists only if the SQLite that was
 * loaded has FTS5, so it is not part of the schema, and every use checks for it first. An import
 * with such a library also indexes what an earlier import left out.
 */
#include "vendor/search/vendor_index.h"
#include "db/sqlite/schema.h"

static const char make_index[] = PQ_SCHEMA_INDEX ";"
						 "INSERT INTO vendor_words (vendor_words, rank)"
						 " VALUES ('rank', 'bm25(12.0, 6.0, 4.0, 1.0)')";

/* A PMU that most events have is not indexed: it would match all of them. */
#define PMU "iif(pmu IN ('default_core', 'cpu_core'), '', pmu)"
/* The row of a text: short names first (schema.sql). Rows are added and removed in their order:
 * FTS5 writes all that it has in memory whenever a row is below the last one. */
#define ROW "((min(length(CAST(name AS BLOB)), 1023) << 40) | id)"
#define ID "(id & 0xffffffffff)"

static const struct pq_sql add_new_texts = {
	.text = "INSERT INTO vendor_words (rowid, name, pmu, description, long_description)"
		" SELECT " ROW ", name, " PMU ", description, long_description FROM vendor_text"
		" WHERE id > (SELECT coalesce(max" ID ", 0) FROM vendor_words_docsize) ORDER BY 1",
};

static const struct pq_sql remove_unused_texts = {
	.text = "INSERT INTO vendor_words (vendor_words, rowid, name, pmu, description,"
		" long_description) SELECT 'delete', " ROW ", name, " PMU
		", description, long_description FROM vendor_text"
		" WHERE " ROW " IN (SELECT id FROM vendor_words_docsize) AND NOT EXISTS"
		" (SELECT 1 FROM vendor_event WHERE vendor_text = vendor_text.id) ORDER BY 2",
};

static const struct pq_sql set_indexed = {
	.text = "UPDATE vendor SET is_indexed = 1 WHERE NOT is_indexed",
};

static const struct pq_sql has_fts5 = {
	.text = "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'",
	PQ_ONE_NUMBER,
};

static const struct pq_sql has_index = {
	.text = "SELECT 1 FROM sqlite_schema WHERE name = 'vendor_words'",
	PQ_ONE_NUMBER,
};

static const struct pq_sql has_unindexed = {
	.text = "SELECT 1 FROM vendor WHERE NOT is_indexed",
	PQ_ONE_NUMBER,
};

/* Whether the query has a row; false after an error. */
static bool has_row(struct pmuq_store *store, const struct pq_sql *sql)
{
	return pq_sql_row(store, sql, PQ_NO_PARAMS, &(int64_t){ 0 }, NULL);
}

void pq_vendor_index(struct pmuq_store *store)
{
	if (!has_row(store, &has_fts5))
		return;
	if (!has_row(store, &has_index) && store->r == 0)
		store->r = pq_store_exec(store, make_index, store->reterr);
	pq_sql_run(store, &add_new_texts, PQ_NO_PARAMS);
	pq_sql_run(store, &set_indexed, PQ_NO_PARAMS);
}

void pq_vendor_unindex(struct pmuq_store *store)
{
	if (has_row(store, &has_fts5) && has_row(store, &has_index))
		pq_sql_run(store, &remove_unused_texts, PQ_NO_PARAMS);
}

static void fail_no_search(struct pmuq_store *store, const char *why, const char *how)
{
	struct pq_buf hint = PQ_BUF_NULL;

	pq_buf_add(&hint, str_of(how));
	pq_work_fail_with(store, &hint, PMUQ_E_NO_SEARCH, "%s", why);
}

void pq_vendor_index_check(struct pmuq_store *store)
{
	if (!has_row(store, &has_fts5))
		fail_no_search(store, "the SQLite that was loaded has no FTS5",
			       "install one that was built with FTS5");
	else if (!has_row(store, &has_index))
		fail_no_search(store, "the database has no index of events",
			       "`pmuq vendor import DIR` creates it");
	else if (has_row(store, &has_unindexed))
		fail_no_search(store, "not all tables in the database are in its index",
			       "`pmuq vendor import` of any table, with an SQLite that has "
			       "FTS5, indexes all");
}
