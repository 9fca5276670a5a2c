/* SPDX-License-Identifier: MIT */
/* Forward, step by step, all in one transaction: a database that is begun, or brought up to date,
 * is never seen half way. Who waited for another to do it finds it done. */
#include "db/migrate.h"
#include "core/catalog/model.h"
#include "db/db.h"

/* From here on snapshots have kinds, which only pmuq can work out. */
#define KINDS_VERSION 4

unsigned pq_store_schema_version(void)
{
	return pq_migrations_count;
}

static int run_step(struct pmuq_store *store, int64_t version, struct pmuq_error **reterr)
{
	int r = pq_store_exec(store, pq_migrations[version].sql, reterr);

	if (r < 0)
		pq_error_in(reterr, "step %s: ", pq_migrations[version].name);
	else if (version + 1 == KINDS_VERSION)
		r = pq_kinds_fill(store, reterr);
	return r;
}

static int commit(struct pmuq_store *store, int64_t version, struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf ids = PQ_BUF_NULL;

	pq_buf_print(&ids, "PRAGMA application_id = %d; PRAGMA user_version = %lld; COMMIT",
		     PQ_APPLICATION_ID, (long long)version);
	return ids.failed ? pq_fail_memory(reterr) : pq_store_exec(store, ids.p, reterr);
}

int pq_store_migrate(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int64_t version = 0;
	int r;

	store->doing = "cannot bring the database up to date";
	r = pq_store_exec(store, "BEGIN IMMEDIATE", reterr);
	if (r == 0)
		r = pq_store_pragma(store, "PRAGMA user_version", &version, reterr);
	for (; r == 0 && version < pq_migrations_count; version++)
		r = run_step(store, version, reterr);
	if (r == 0)
		r = commit(store, version, reterr);
	if (!store->lib.get_autocommit(store->db))
		store->lib.exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}
