/* SPDX-License-Identifier: MIT */
/*
 * Creates the tables of a new store, and brings an older store up to date. All steps are one
 * transaction: no process sees a store between two versions. The classes of hosts are computed
 * again after any step, since a newer pmuq may let encodings depend on other facts.
 */
#include "db/sqlite/schema.h"
#include "core/buf.h"
#include "db/snapshot/snapshot.h"

static int run_step(struct pmuq_store *store, const struct pq_schema_step *step,
		    struct pmuq_error **reterr)
{
	int r = pq_store_exec(store, step->sql, reterr);

	if (r < 0)
		pq_error_in(reterr, "step %s: ", step->name);
	return r;
}

static int commit(struct pmuq_store *store, unsigned version, struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf ids = PQ_BUF_NULL;

	pq_buf_print(&ids, "PRAGMA application_id = %d; PRAGMA user_version = %u; COMMIT",
		     PQ_APPLICATION_ID, version);
	return ids.failed ? pq_fail_memory(reterr) : pq_store_exec(store, ids.p, reterr);
}

/* A process that waited while another one did this finds it done. */
int pq_schema_update(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int64_t version = 0;
	bool is_old;
	int r;

	store->doing = "cannot bring the database up to date";
	r = pq_store_exec(store, "BEGIN IMMEDIATE", reterr);
	if (r == 0)
		r = pq_store_number(store, "PRAGMA user_version", &version, reterr);
	is_old = version > 0 && version < store->schema->n;
	for (; r == 0 && version < store->schema->n; version++)
		r = run_step(store, &store->schema->steps[version], reterr);
	if (r == 0 && is_old) {
		store->r = 0;
		store->reterr = reterr;
		pq_host_class_update(store);
		r = store->r;
	}
	if (r == 0)
		r = commit(store, (unsigned)version, reterr);
	if (!store->lib.get_autocommit(store->db))
		store->lib.exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}
