/* SPDX-License-Identifier: MIT */
/*
 * The connection to a server. libpq reads what the connection string leaves out from its own
 * sources: the environment (PGHOST …), a service file, ~/.pgpass.
 */
#include "db/postgres/pg_server.h"

/* The oldest that has all that the schema needs: generated columns. */
#define OLDEST_SERVER 120000

/* Names in statements are those of pmuq's tables and of PostgreSQL itself, whatever else the
 * database has. Compiling a query for a few milliseconds of work takes longer than the work. A
 * writer waits for another, but not for ever, unless its user has another limit. */
static const char settings[] =
	"SET search_path = pmuq, pg_temp; SET jit = off; SET client_min_messages = error;"
	"SELECT set_config('lock_timeout', '60s', false)"
	" WHERE current_setting('lock_timeout') = '0'";

/* A library prints nothing. */
static void ignore_notice(void *arg, const char *message)
{
	(void)arg;
	(void)message;
}

static void open_connection(struct pmuq_store *store)
{
	struct pq_pg_server *pg = store->pg;
	/* The string is `dbname`: it replaces what is before it, and is replaced by what follows.
	 */
	const char *const keywords[] = { "connect_timeout", "fallback_application_name", "dbname",
					 "client_encoding", NULL };
	const char *const values[] = { "10", "pmuq", pg->info, "UTF8", NULL };

	pg->connection = pg->lib.connectdbParams(keywords, values, 1);
	pg->is_pipelined = false;
	pg->generation++;
	pg->has_failed = false;
	if (!pg->connection) {
		pq_store_fail_memory(store);
		return;
	}
	pg->lib.setNoticeProcessor(pg->connection, ignore_notice, NULL);
	if (pg->lib.status(pg->connection) != PQ_PG_CONNECTION_OK)
		pq_pg_fail_connect(store);
}

static void check_server(struct pmuq_store *store)
{
	const struct pq_pg_server *pg = store->pg;
	const char *encoding = pg->lib.parameterStatus(pg->connection, "server_encoding");
	int version = pg->lib.serverVersion(pg->connection);

	if (version < OLDEST_SERVER)
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0, "pmuq needs PostgreSQL 12 or newer",
				"%s: the server is PostgreSQL %d.%d", store->doing, version / 10000,
				version % 10000);
	if (!encoding)
		pq_store_fail_memory(store);
	else if (strcmp(encoding, "UTF8") != 0)
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0,
				"`createdb -E UTF8 -T template0 NAME` creates one with UTF-8",
				"%s: its encoding is %s, and not UTF8", store->doing, encoding);
}

void pq_pg_connect(struct pmuq_store *store)
{
	struct pq_pg_server *pg = store->pg;

	open_connection(store);
	if (store->r == 0)
		check_server(store);
	if (store->r == 0 && store->schema)
		pq_pg_exec(store, settings);
	if (store->r == 0 && !pg->lib.enterPipelineMode(pg->connection))
		pq_pg_fail(store, NULL);
	if (store->r < 0)
		return;
	pg->is_pipelined = true;
	if (store->schema)
		pq_pg_schema_open(store);
}

void pq_pg_disconnect(struct pmuq_store *store)
{
	struct pq_pg_server *pg = store->pg;

	if (pg && pg->connection)
		pg->lib.finish(move(pg->connection));
	if (pg)
		pq_pg_forget(pg);
}
