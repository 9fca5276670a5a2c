/* SPDX-License-Identifier: MIT */
/*
 * PostgreSQL as an engine of the store. Its transactions and locks:
 *
 * A reader sees the state of one moment (REPEATABLE READ). Writers see what others have committed
 * (READ COMMITTED) and take their locks in one order, so that none can wait for another in a
 * circle: first WRITERS, shared for a transaction on one host and else exclusive; then the one
 * host; then CONTENTS, before a content is added or deleted. So hosts whose contents are known,
 * which are most of them, are written at the same time. The locks end with the transaction.
 */
#include "db/postgres/pg_server.h"

/* Advisory locks have two numbers: "pmuq" as an application_id of SQLite, and that of the lock. For
 * a host the second is its hash, with "pmur" as the first. Two hosts of one hash only wait. */
#define LOCK_WRITERS "1886221681, 1"
#define LOCK_CONTENTS "1886221681, 2"
#define LOCK_HOST PQ_PG_LOCK_HOSTS ", hashtext($1)"

static int open_store(struct pmuq_store *store, const char *path, struct pmuq_error **reterr)
{
	int r;

	store->pg = calloc(1, sizeof(*store->pg));
	if (!store->pg)
		return pq_fail_memory(reterr);
	store->pg->info = strdup(path);
	if (!store->pg->info)
		return pq_fail_memory(reterr);
	r = pq_libpq_load(&store->pg->lib, reterr);
	return r < 0 ? r : pq_pg_name(&store->pg->lib, path, &store->name, reterr);
}

static void close_store(struct pmuq_store *store)
{
	if (!store->pg)
		return;
	free(store->pg->info);
	free(store->pg);
}

static bool is_connected(const struct pq_pg_server *pg)
{
	return pg->connection && pg->lib.status(pg->connection) == PQ_PG_CONNECTION_OK;
}

/* A server that was started again is connected to again. */
static bool must_connect(struct pmuq_store *store, unsigned attempt)
{
	struct pq_pg_server *pg = store->pg;

	(void)attempt;
	pg->was_connected = is_connected(pg);
	return !pg->was_connected;
}

/* Only its use shows that a connection was lost since the call before: then a reader connects
 * again, once. */
static bool is_sound(struct pmuq_store *store)
{
	const struct pq_pg_server *pg = store->pg;

	return store->r == 0 || !pg->was_connected || is_connected(pg);
}

/* After a failed command the server has not prepared what followed it in the queue. If only pmuq
 * has an error, as for an unknown host, no command has failed. */
static void roll_back(struct pmuq_store *store)
{
	struct pq_pg_server *pg = store->pg;
	struct pmuq_error **reterr = store->reterr;
	int r = store->r;

	if (!pg->connection || !pg->is_in_transaction)
		return;
	pg->is_in_transaction = false;
	store->reterr = NULL;
	pq_pg_sync(store);
	store->r = 0;
	if (pg->lib.transactionStatus(pg->connection) != PQ_PG_IDLE)
		pq_pg_queue(store, "ROLLBACK");
	if (pg->has_failed) {
		pg->has_failed = false;
		pg->generation++;
		pq_pg_queue(store, "DEALLOCATE ALL");
		pq_pg_sync(store);
	}
	pq_pg_send(store);
	store->reterr = reterr;
	store->r = r;
}

static void begin(struct pmuq_store *store, enum pq_transaction type)
{
	static const char *const beginnings[] = {
		[PQ_TRANSACTION_READ] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
		[PQ_TRANSACTION_HOST] = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
		[PQ_TRANSACTION_ALONE] = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
	};

	store->pg->is_in_transaction = true;
	store->pg->is_read_only = type == PQ_TRANSACTION_READ;
	pq_pg_queue(store, beginnings[type]);
	if (type == PQ_TRANSACTION_HOST)
		pq_pg_queue(store, "SELECT pg_advisory_xact_lock_shared(" LOCK_WRITERS ")");
	if (type == PQ_TRANSACTION_ALONE)
		pq_pg_queue(store, "SELECT pg_advisory_xact_lock(" LOCK_WRITERS ")");
}

/* A transaction that has only read cannot fail at its end, so its result is not waited for. */
static void commit(struct pmuq_store *store)
{
	struct pq_pg_server *pg = store->pg;

	pq_pg_queue(store, "COMMIT");
	if (store->r == 0 && pg->is_read_only) {
		pg->is_in_transaction = false;
		pq_pg_send(store);
	} else if (store->r == 0) {
		pq_pg_sync(store);
	}
}

static void lock_host(struct pmuq_store *store, struct pmuq_str name)
{
	pq_pg_queue_text(store, "SELECT pg_advisory_xact_lock(" LOCK_HOST ")", name);
}

static void lock_contents(struct pmuq_store *store)
{
	pq_pg_queue(store, "SELECT pg_advisory_xact_lock(" LOCK_CONTENTS ")");
}

static int64_t number(struct pmuq_store *store, const char *sql)
{
	auto_free char *text = pq_pg_get(store, sql);

	return text ? strcmp(text, "t") == 0 ? 1 : strtoll(text, NULL, 10) : 0;
}

/* The server counts no bytes of deleted rows until it has vacuumed the tables. */
static int64_t free_bytes(struct pmuq_store *store)
{
	(void)store;
	return 0;
}

static void start(struct pmuq_store *store)
{
	(void)store;
}

const struct pq_engine pq_pg_engine = {
	.restore = "restore the schema `pmuq` from a copy; pmuq did not change it",
	.has_index = true,
	.open = open_store,
	.close = close_store,
	.connect = pq_pg_connect,
	.disconnect = pq_pg_disconnect,
	.must_connect = must_connect,
	.is_sound = is_sound,
	.begin = begin,
	.commit = commit,
	.roll_back = roll_back,
	.lock_host = lock_host,
	.lock_contents = lock_contents,
	.exec = pq_pg_exec,
	.number = number,
	.free_bytes = free_bytes,
	.compile = pq_pg_compile,
	.finalize = pq_pg_finalize,
	.start = start,
	.bind = pq_pg_bind,
	.queue = pq_pg_queue_query,
	.step = pq_pg_step,
	.insert = pq_pg_insert,
	.column = pq_pg_column,
	.reset = pq_pg_reset,
};
