/* SPDX-License-Identifier: MIT */
/*
 * pmuq's own function in SQL, which db/ids.h describes. It is an auxiliary function of FTS5,
 * because these get the pointer to the library that pmuq loaded from FTS5 itself: a plain function
 * would need a global variable.
 */
#include "db/ids.h"
#include "db/sqlite/sqlite_file.h"

/* NULL has every id. */
static void has(const Fts5ExtensionApi *fts5, Fts5Context *match, sqlite3_context *context, int n,
		sqlite3_value **values)
{
	const struct pq_sqlite *lib = fts5->xUserData(match);
	const struct pq_ids *ids = n == 2 ? lib->value_pointer(values[0], PQ_SQLITE_IDS) : NULL;

	lib->result_int(context, !ids || pq_ids_has(ids, lib->value_int64(values[1])));
}

/* As FTS5 documents it: a call with the address of a pointer. NULL without FTS5, and after a
 * failure. */
static fts5_api *find_fts5(struct pmuq_store *store)
{
	const struct pq_sqlite *lib = &store->sqlite->lib;
	sqlite3_stmt *stmt = NULL;
	fts5_api *api = NULL;
	int rc = lib->prepare_v3(store->sqlite->db, "SELECT fts5(?1)", -1, 0, &stmt, NULL);

	if (rc == SQLITE_ERROR)
		return NULL; /* no such function */
	if (rc == SQLITE_OK)
		rc = lib->bind_pointer(stmt, 1, &api, "fts5_api_ptr", NULL);
	if (rc == SQLITE_OK)
		rc = lib->step(stmt);
	lib->finalize(stmt);
	if (rc != SQLITE_ROW)
		pq_sqlite_fail(store, rc);
	return api;
}

bool pq_sqlite_begin_search(struct pmuq_store *store)
{
	struct pq_sqlite_file *file = store->sqlite;
	fts5_api *fts5 = store->r == 0 && !file->has_functions ? find_fts5(store) : NULL;
	int rc;

	if (!fts5)
		return store->r == 0 && file->has_functions;
	rc = fts5->xCreateFunction(fts5, "pmuq_has", &file->lib, has, NULL);
	file->has_functions = rc == SQLITE_OK;
	if (rc != SQLITE_OK)
		pq_sqlite_fail(store, rc);
	return file->has_functions;
}
