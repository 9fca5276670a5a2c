/* SPDX-License-Identifier: MIT */
/*
 * The schema `pmuq` of a database: whether it is there, its version, and whether its tables are as
 * pmuq made them. A writer creates it, or runs the steps that are missing: all in one transaction,
 * while no other process writes.
 */
#include "db/postgres/pg_server.h"
#include "db/schema.h"
#include "db/snapshot/snapshot.h"

#define HAS_SCHEMA "SELECT count(*) FROM pg_namespace WHERE nspname = 'pmuq'"
#define HAS_VERSION                                                                                \
	"SELECT count(*) FROM pg_class WHERE relname = 'store_version'"                            \
	" AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'pmuq')"

/* scripts/schema_postgres.py computes the same from the steps. */
const char pq_pg_fingerprint[] =
	"SELECT encode(sha256(convert_to((SELECT string_agg(relname || '.' || attname || ' ' ||"
	" format_type(atttypid, NULL) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END, ','"
	" ORDER BY relname COLLATE \"C\", attnum) FROM pg_class JOIN pg_attribute"
	" ON attrelid = pg_class.oid WHERE relnamespace = 'pmuq'::regnamespace"
	" AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped) || (SELECT"
	" coalesce(string_agg(relname || '.' || tgname || ' ' || tgtype ||"
	" coalesce(proconfig::text, '') || prosrc, '' ORDER BY tgname COLLATE \"C\"), '')"
	" FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc"
	" ON pg_proc.oid = tgfoid"
	" WHERE relnamespace = 'pmuq'::regnamespace AND NOT tgisinternal), 'UTF8')), 'hex')";

/* Statements of somebody else, which would run within pmuq's. */
#define FOREIGN                                                                                    \
	"SELECT 'trigger ' || tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"      \
	" WHERE relnamespace = 'pmuq'::regnamespace AND NOT tgisinternal AND tgfoid NOT IN"        \
	" (SELECT oid FROM pg_proc WHERE pronamespace = 'pmuq'::regnamespace)"                     \
	" UNION ALL SELECT 'rule ' || rulename FROM pg_rewrite"                                    \
	" JOIN pg_class ON pg_class.oid = ev_class"                                                \
	" WHERE relnamespace = 'pmuq'::regnamespace AND relkind <> 'v' LIMIT 1"

/* 0: there is no schema. */
static unsigned get_version(struct pmuq_store *store)
{
	int64_t version;

	if (!pq_store_number(store, HAS_SCHEMA))
		return 0;
	if (!pq_store_number(store, HAS_VERSION))
		pq_store_refuse(store, PMUQ_E_STORE_FOREIGN, 0,
				"name another database; this one was not changed",
				"%s: its schema `pmuq` is not pmuq's", store->doing);
	version = pq_store_number(store, "SELECT version FROM pmuq.store_version");
	if (version > store->schema->n)
		pq_store_refuse(store, PMUQ_E_STORE_NEWER, 0,
				"use the pmuq that updated it; nothing was changed",
				"the database has schema %lld, and this pmuq supports schemas up "
				"to %u",
				(long long)version, store->schema->n);
	return (unsigned)version;
}

static void fail_foreign(struct pmuq_store *store, const char *what)
{
	pq_store_refuse(store, PMUQ_E_STORE_FOREIGN, 0,
			"name another database, or remove what was added to the schema `pmuq`; "
			"nothing was changed",
			"%s: %s is not pmuq's", store->doing, what);
}

static void check(struct pmuq_store *store, unsigned version)
{
	auto_free char *fingerprint = NULL, *foreign = NULL;

	fingerprint = pq_pg_get(store, pq_pg_fingerprint);
	if (store->r == 0)
		foreign = pq_pg_get(store, FOREIGN);
	if (store->r == 0 && foreign)
		fail_foreign(store, foreign);
	if (store->r == 0 &&
	    (!fingerprint ||
	     strcmp(fingerprint, store->schema->steps[version - 1].pg_fingerprint) != 0))
		fail_foreign(store, "a table or a trigger in its schema `pmuq`");
}

static void run_step(struct pmuq_store *store, const struct pq_schema_step *step)
{
	pq_store_exec(store, step->pg_sql);
	if (store->r < 0)
		pq_error_in(store->reterr, "step %s: ", step->name);
}

/* A process that waited for another one to do this has nothing left to do. */
static void update_within(struct pmuq_store *store, void *unused)
{
	cleanup(pq_buf_free) struct pq_buf set = PQ_BUF_NULL;
	unsigned version = get_version(store);
	bool is_old = version > 0 && version < store->schema->n;

	(void)unused;
	if (store->r == 0 && version == store->schema->n)
		return;
	if (!version)
		pq_store_exec(store, "CREATE SCHEMA IF NOT EXISTS pmuq");
	for (; store->r == 0 && version < store->schema->n; version++)
		run_step(store, &store->schema->steps[version]);
	if (is_old)
		pq_host_class_update(store);
	pq_buf_print(&set,
		     "DELETE FROM store_version; INSERT INTO store_version (version) VALUES (%u)",
		     version);
	if (set.failed)
		pq_store_fail_memory(store);
	pq_store_exec(store, set.p);
}

void pq_pg_schema_open(struct pmuq_store *store)
{
	unsigned version = get_version(store);

	if (store->r < 0)
		return;
	if (!version && store->mode != PMUQ_STORE_CREATE) {
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0,
				"`pmuq scan` creates them, and `pmuq db init` also the inbox for "
				"hosts that push",
				"%s: it has no tables of pmuq", store->doing);
		return;
	}
	if (version)
		check(store, version);
	if (version == store->schema->n || store->r < 0)
		return;
	if (store->mode == PMUQ_STORE_READ) {
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0, "`pmuq scan` updates it",
				"the database has schema %u, and this pmuq needs %u", version,
				store->schema->n);
		return;
	}
	store->doing = "cannot update the database";
	pq_store_transact(store, PQ_TRANSACTION_ALONE, update_within, NULL);
}
