/* SPDX-License-Identifier: MIT */
/*
 * Creates the tables of a new store, and brings an older store up to date. All steps are one
 * transaction: no process sees a store between two versions. The classes of hosts are computed
 * again after any step, since a newer pmuq may let encodings depend on other facts.
 */
#include "db/schema.h"
#include "core/buf.h"
#include "db/snapshot/snapshot.h"
#include "db/sqlite/sqlite_file.h"

static void run_step(struct pmuq_store *store, const struct pq_schema_step *step)
{
	pq_sqlite_exec(store, step->sql);
	if (store->r < 0)
		pq_error_in(store->reterr, "step %s: ", step->name);
}

static void set_ids(struct pmuq_store *store, unsigned version)
{
	cleanup(pq_buf_free) struct pq_buf ids = PQ_BUF_NULL;

	pq_buf_print(&ids, "PRAGMA application_id = %d; PRAGMA user_version = %u",
		     PQ_APPLICATION_ID, version);
	if (ids.failed)
		pq_store_fail_memory(store);
	pq_sqlite_exec(store, ids.p);
}

/* A process that waited for another one to do this has nothing left to do. */
static void update_within(struct pmuq_store *store, void *unused)
{
	int64_t version = pq_sqlite_number(store, "PRAGMA user_version");
	bool is_old = version > 0 && version < store->schema->n;

	(void)unused;
	for (; store->r == 0 && version < store->schema->n; version++)
		run_step(store, &store->schema->steps[version]);
	if (is_old)
		pq_host_class_update(store);
	set_ids(store, (unsigned)version);
}

void pq_schema_update(struct pmuq_store *store)
{
	store->doing = "cannot update the database";
	pq_store_transact(store, PQ_TRANSACTION_ALONE, update_within, NULL);
}
