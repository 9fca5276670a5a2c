/* SPDX-License-Identifier: MIT */
/*
 * A store on a PostgreSQL server: what this directory keeps about the connection. All tables are in
 * the schema `pmuq` of the database.
 *
 * The connection is in libpq's pipeline mode: a statement without rows is queued, and its result is
 * read together with that of the next statement with rows, or of the commit. So an error can be
 * reported by a later statement, but always before the transaction ends. Over a network, a scan
 * would else wait for a round trip per row.
 */
#pragma once

#include "db/engine.h"
#include "db/postgres/pg_lib.h"

/* The first number of the locks of hosts: pg_engine.c. */
#define PQ_PG_LOCK_HOSTS "1886221682"

/* A query that is queued or sent, and whose result was not read. */
struct pq_pg_pending {
	bool is_pending;
	struct pg_result *result; /* when it is pending no more; NULL after an error */
	size_t n_before; /* commands without rows between the query before it and this one */
	struct pq_pg_pending *next;
};

struct pq_pg_server {
	struct pq_libpq lib;
	struct pg_conn *connection; /* NULL: not connected */
	char *info;		    /* the connection string; it can contain a password */
	bool is_pipelined;
	bool was_connected; /* before this call */
	bool is_in_transaction, is_read_only;
	struct pq_pg_pending *pending; /* in the order of sending */
	size_t n_queued; /* commands after the last of them whose results were not read */
	size_t n_unsent; /* commands and queries since the last mark of synchronization */
	size_t n_marks;	 /* that were sent and not read */
	unsigned n_compiled;
	/* The server can have lost the prepared statements of a generation before: after a failed
	 * command all are prepared again. */
	unsigned generation;
	bool has_failed;
};

/* ---- pg_name.c */

/* A copy of the name of the database for messages: without the password. Fails if the connection
 * string cannot be parsed. */
int pq_pg_name(const struct pq_libpq *lib, const char *info, char **ret,
	       struct pmuq_error **reterr);

/* ---- pg_connect.c */

void pq_pg_connect(struct pmuq_store *store);
void pq_pg_disconnect(struct pmuq_store *store);

/* ---- pg_schema.c: whether the schema of the database is pmuq's, and its version */

/* The query whose result is .pg_fingerprint of a step (db/schema.h). */
extern const char pq_pg_fingerprint[];
/* Creates or updates it for a writer. */
void pq_pg_schema_open(struct pmuq_store *store);

/* ---- pg_error.c */

/* The error of a result (which is not freed), or of the connection if it is NULL. */
void pq_pg_fail(struct pmuq_store *store, const struct pg_result *result);
/* A connection that could not be made. */
void pq_pg_fail_connect(struct pmuq_store *store);
/* Whether a message of libpq is about this process's memory: it has no code for that. The messages
 * are in English, because pmuq leaves the language of the process alone; FATAL is the server's. */
bool pq_pg_is_memory_error(const char *message);

/* ---- pg_pipeline.c */

/* Statements in one string, at once; not for statements with rows. */
void pq_pg_exec(struct pmuq_store *store, const char *sql);
/* The first column of the first row: a text that the caller frees; NULL if there is no row, it is
 * NULL, or after an error. */
char *pq_pg_get(struct pmuq_store *store, const char *sql);
/* Queues a statement without parameters; rows are ignored. */
void pq_pg_queue(struct pmuq_store *store, const char *sql);
/* Queues a statement with one text as parameter. */
void pq_pg_queue_text(struct pmuq_store *store, const char *sql, struct pmuq_str text);
/* Before a command is queued: reads the results of those before it if they are many. */
void pq_pg_limit_queue(struct pmuq_store *store);
/* Counts the command, or fails. */
void pq_pg_queued(struct pmuq_store *store, bool is_queued);
/* The result of the command that was queued last is wanted; the caller frees it. `ret` must not
 * move while it is pending. */
void pq_pg_await(struct pq_pg_server *pg, struct pq_pg_pending *ret);
/* Sends what is queued. */
void pq_pg_send(struct pmuq_store *store);
/* The same, and reads results up to this one. */
void pq_pg_receive(struct pmuq_store *store, struct pq_pg_pending *pending);
/* The same, and reads all results. */
void pq_pg_sync(struct pmuq_store *store);
/* The connection is closed: nothing is queued or pending. */
void pq_pg_forget(struct pq_pg_server *pg);

/* Runs COPY TO STDOUT: true if its rows can be read. */
bool pq_pg_copy_out(struct pmuq_store *store, const char *sql);
/* Its next row, which the caller frees by libpq; NULL after the last one, and after an error. Until
 * then nothing else can run. */
char *pq_pg_copy_row(struct pmuq_store *store, size_t *ret_bytes);

/* ---- pg_copy.c: the rows of a long table, as they arrive */

/* More than any table of pmuq's has columns. */
#define PQ_PG_COLUMNS_MAX 32u

struct pq_pg_field {
	char *bytes;
	int n; /* -1: NULL */
};

struct pq_pg_copy {
	bool is_open, has_header;
	char *message, *at, *end;
	struct pq_pg_field fields[PQ_PG_COLUMNS_MAX]; /* of the row, until the next step */
};

void pq_pg_copy_begin(struct pmuq_store *store, const char *sql, struct pq_pg_copy *ret);
/* False after the last row, and after an error. */
bool pq_pg_copy_next(struct pmuq_store *store, struct pq_pg_copy *copy, size_t n_columns);
void pq_pg_copy_end(struct pmuq_store *store, struct pq_pg_copy *copy);

/* ---- pg_text.c: texts whose bytes are not UTF-8 */

/* Whether PostgreSQL's type text can contain it unchanged. */
bool pq_pg_text_is_plain(struct pmuq_str text);
/* The stored form of a text that is not plain; NULL if there is no memory. The caller frees it. */
char *pq_pg_text_encode(struct pmuq_str text);
/* The reverse, in place: what was stored, plain or not. False if no pmuq stored it. */
bool pq_pg_text_decode(char *bytes, size_t *n);

/* ---- pg_sql.c: the text of a statement for PostgreSQL */

void pq_pg_translate(struct pmuq_str text, struct pq_buf *ret);

/* ---- pg_statement.c */

void *pq_pg_compile(struct pmuq_store *store, const struct pq_sql *sql, struct pmuq_str text);
void pq_pg_finalize(struct pmuq_store *store, void *compiled);
void pq_pg_queue_query(struct pq_stmt *stmt);
void pq_pg_bind(struct pq_stmt *stmt, size_t at, const struct pq_param *param);
bool pq_pg_step(struct pq_stmt *stmt);
int64_t pq_pg_insert(struct pq_stmt *stmt);
struct pq_value pq_pg_column(struct pq_stmt *stmt, size_t at);
void pq_pg_reset(struct pq_stmt *stmt);
