/* SPDX-License-Identifier: MIT */
/*
 * The storage interface: everything that SQLite and PostgreSQL do in different ways, as a table of
 * functions for each. sqlite/ and postgres/ implement it; statement.c, transaction.c and store.c
 * are the only files that call it. Errors stick in the store, and after an error none of the
 * functions is called except close(), disconnect(), finalize(), reset() and roll_back().
 *
 * Both engines get the same SQL. The few differences in spelling are translated in one place,
 * postgres/pg_sql.c.
 */
#pragma once

#include "db/statement.h"

/* A value of a row, valid until the next step of its statement. */
struct pq_value {
	enum {
		PQ_VALUE_NULL,
		PQ_VALUE_NUMBER,
		PQ_VALUE_BYTES, /* a text or a hash; .p is never NULL */
		PQ_VALUE_OTHER, /* no column of pmuq's has such a value */
	} type;
	union {
		int64_t number;
		struct pmuq_str bytes;
	};
};

struct pq_engine {
	/* What to do about a corrupt database: a hint. */
	const char *restore;
	/* Its schema has the index for searches: see vendor/search/. */
	bool has_index;

	/* Makes the engine's part of the store and loads the library. `path` is that of
	 * pmuq_store_open(). 0 or a failure; close() is called in any case. */
	int (*open)(struct pmuq_store *store, const char *path, struct pmuq_error **reterr);
	void (*close)(struct pmuq_store *store);
	/* Checks whose database it is; for a writer, creates or updates the schema. After a failure
	 * the caller disconnects. */
	void (*connect)(struct pmuq_store *store);
	void (*disconnect)(struct pmuq_store *store);

	/* For a reader, before each attempt to read: whether it has to connect (again). `attempt`
	 * counts from 0. */
	bool (*must_connect)(struct pmuq_store *store, unsigned attempt);
	/* Whether the attempt counts: what was read is from one state of the database, and the
	 * connection was not lost before it. */
	bool (*is_sound)(struct pmuq_store *store);

	/* Rolls back a transaction that a failure of roll_back() left open. */
	void (*begin)(struct pmuq_store *store, enum pq_transaction type);
	void (*commit)(struct pmuq_store *store);
	/* Does nothing if no transaction is open. */
	void (*roll_back)(struct pmuq_store *store);
	/* Within PQ_TRANSACTION_HOST, until its end; NULL if every writer is alone. */
	void (*lock_host)(struct pmuq_store *store, struct pmuq_str name);
	void (*lock_contents)(struct pmuq_store *store);

	void (*exec)(struct pmuq_store *store, const char *sql);
	int64_t (*number)(struct pmuq_store *store, const char *sql);
	/* Bytes that deleted rows have left for new ones, or 0 if the engine does not count them.
	 */
	int64_t (*free_bytes)(struct pmuq_store *store);
	/* Unless has_index: adds what an index for searches needs to the connection, once; in
	 * SQLite the function pmuq_has() of FTS5. False if the engine can have no index, and after
	 * an error. */
	bool (*begin_search)(struct pmuq_store *store);

	/* ---- statements: `compiled` of struct pq_stmt is what compile() returned */

	/* `text` is the whole statement. NULL after an error. */
	void *(*compile)(struct pmuq_store *store, const struct pq_sql *sql, struct pmuq_str text);
	void (*finalize)(struct pmuq_store *store, void *compiled);
	/* Before its parameters are bound. */
	void (*start)(struct pmuq_store *store);
	/* Parameters count from 0. */
	void (*bind)(struct pq_stmt *stmt, size_t at, const struct pq_param *param);
	/* Queues a query ahead of its first step; NULL: its first step runs it. */
	void (*queue)(struct pq_stmt *stmt);
	/* True if there is a row. After the last row, parameters may be bound again. */
	bool (*step)(struct pq_stmt *stmt);
	/* Runs an INSERT, and returns the id of the row. */
	int64_t (*insert)(struct pq_stmt *stmt);
	struct pq_value (*column)(struct pq_stmt *stmt, size_t at);
	/* Ends the statement; also after an error. */
	void (*reset)(struct pq_stmt *stmt);
};

extern const struct pq_engine pq_sqlite_engine, pq_pg_engine;

/* Whether the path of a store is a connection string of PostgreSQL. */
bool pq_pg_is_named(const char *path);
