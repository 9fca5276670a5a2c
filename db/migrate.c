/* SPDX-License-Identifier: MIT */
/* Forward, step by step, each in a transaction of its own. Who waited for another to do it finds it
 * done. */
#include "db/migrate.h"
#include "core/model.h"
#include "db/db.h"

/* From here on snapshots have kinds, which only pmuq can work out. */
#define KINDS_VERSION 4

unsigned pq_store_schema_version(void)
{
	return pq_migrations_count;
}

static int run_step(struct pmuq_store *store, int64_t version, struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf ids = PQ_BUF_NULL;
	int r = pq_store_exec(store, pq_migrations[version].sql, reterr);

	if (r < 0) {
		pq_error_in(reterr, "step %s: ", pq_migrations[version].name);
		return r;
	}
	if (version + 1 == KINDS_VERSION)
		r = pq_kinds_fill(store, reterr);
	if (r < 0)
		return r;
	pq_buf_print(&ids, "PRAGMA application_id = %d; PRAGMA user_version = %lld; COMMIT",
		     PQ_APPLICATION_ID, (long long)version + 1);
	return ids.failed ? pq_fail_memory(reterr) : pq_store_exec(store, ids.p, reterr);
}

/* One step, or PQ_NONE when there is none left. */
static int take_step(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int64_t version = 0;
	int r = pq_store_exec(store, "BEGIN IMMEDIATE", reterr);

	if (r < 0)
		return r;
	r = pq_store_pragma(store, "PRAGMA user_version", &version, reterr);
	if (r == 0 && version >= pq_migrations_count)
		r = PQ_NONE;
	if (r == 0)
		r = run_step(store, version, reterr);
	if (!store->lib.get_autocommit(store->db))
		store->lib.exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

int pq_store_migrate(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r;

	store->doing = "cannot bring the database up to date";
	do
		r = take_step(store, reterr);
	while (r == 0);
	return r < 0 ? r : 0;
}
