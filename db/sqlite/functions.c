/* SPDX-License-Identifier: MIT */
/* pmuq's own function in SQL, which db/ids.h describes. */
#include "db/ids.h"
#include "db/sqlite/sqlite_file.h"
#include <stdatomic.h>

/* Nothing else leads from a call of SQLite to the library that pmuq loaded. It is the same address
 * in all connections of the process. */
static _Atomic(__typeof__(&sqlite3_user_data)) user_data;

/* NULL has every id. */
static void has(sqlite3_context *context, int n, sqlite3_value **values)
{
	const struct pq_sqlite *lib =
		atomic_load_explicit(&user_data, memory_order_relaxed)(context);
	const struct pq_ids *ids = lib->value_pointer(values[0], PQ_SQLITE_IDS);

	(void)n;
	lib->result_int(context, !ids || pq_ids_has(ids, lib->value_int64(values[1])));
}

void pq_sqlite_add_functions(struct pmuq_store *store)
{
	struct pq_sqlite *lib = &store->sqlite->lib;
	int rc;

	atomic_store_explicit(&user_data, lib->user_data, memory_order_relaxed);
	rc = lib->create_function_v2(store->sqlite->db, "pmuq_has", 2,
				     SQLITE_UTF8 | SQLITE_DIRECTONLY, lib, has, NULL, NULL, NULL);
	if (rc != SQLITE_OK)
		pq_sqlite_fail(store, rc);
}
