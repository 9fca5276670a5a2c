/* SPDX-License-Identifier: MIT */
/*
 * The store object and what the files of this module, and vendor/, do with a whole store: open it,
 * run work in a transaction, report errors. Statements are in sqlite/statement.h, contents in
 * content/content.h.
 *
 * A connection is made in this order: pq_store_inspect(), pq_store_check_trust(), then SQLite opens
 * the file, its bounds are set (sqlite/guard.h), and pq_schema_check() compares the schema. Only
 * then may a statement use a table. So nothing is created next to a file that is not pmuq's.
 */
#pragma once

#include "core/catalog/model.h"
#include "db/sqlite/sqlite_lib.h"
#include <pmuq/pmuq.h>
#include <sys/stat.h>

/* "pmuq", in the header of the file: PRAGMA application_id, at byte 68 of the SQLite file format.
 */
#define PQ_APPLICATION_ID 0x706d7571
/* The number of statements in the source is smaller. */
#define PQ_STATEMENTS_MAX 256

/* A compiled statement, until the store is disconnected: statement.c. */
struct pq_cached_stmt {
	const char *text;	      /* of its struct pq_sql, compared as an address; NULL: free */
	const struct pq_table *table; /* also of it */
	sqlite3_stmt *stmt;
};

/*
 * The first error of a call of the API sticks: it is in *reterr, and its code in r. After it,
 * everything that takes a store does nothing and returns an empty value, so there is no check
 * between the steps; the transaction is rolled back. Code that must not run after an error (a
 * system call, a loop) checks r.
 */
struct pmuq_store {
	int r;
	struct pmuq_error **reterr; /* of the caller of the API, during its call; may be NULL */
	struct pq_sqlite lib;
	sqlite3 *db;
	struct pq_cached_stmt statements[PQ_STATEMENTS_MAX];
	const struct pq_schema *schema;
	char *name;	   /* as the caller wrote it, for errors */
	char *path;	   /* the same file wherever the process goes */
	char *file;	   /* the file that the links lead to; the log is next to it */
	const char *doing; /* "cannot …", for errors; static */
	enum pmuq_store_mode mode;
	bool is_ready;	   /* connected, and up to date */
	bool wants_locks;  /* reading without locks did not succeed */
	bool is_immutable; /* read without locks; `seen` shows later whether that was sound */
	bool is_foreign;   /* others could have written it: trust.c */
	bool is_in_batch;  /* between pmuq_store_begin() and pmuq_store_commit() */
	bool has_failed;   /* a call has failed in the batch */
	uint64_t steps_max, steps_left; /* of SQLite's virtual machine: guard.h */
	int64_t memory_before;		/* bytes of SQLite when the count of steps began */
	struct pq_kept *kept;	/* machines that were read lately: snapshot/kept.h */
	struct stat seen; /* the file when it was inspected, or when its time was old enough */
	uint32_t header_version; /* user_version of the file, without its log */
};

/* ---- errors: each function sets the error unless there is one */

/* A call begins without an error; its end returns r. */
void pq_store_begin_call(struct pmuq_store *store, const char *doing, struct pmuq_error **reterr);
int pq_store_end_call(struct pmuq_store *store);

/* A result code of SQLite: sqlite/sqlite_error.c has the table. Of a connection that is open, it
 * adds SQLite's message, so call it before the next call of SQLite. */
void pq_store_fail(struct pmuq_store *store, int rc);
/* The database contains data that no pmuq writes: -PMUQ_E_STORE_CORRUPT. */
void pq_store_fail_content(struct pmuq_store *store, const char *what);
void pq_store_fail_memory(struct pmuq_store *store);
/* An error about the database: with an errno (or 0) and a hint (or NULL). */
void pq_store_refuse(struct pmuq_store *store, enum pmuq_code code, int errnum, const char *hint,
		     const char *format, ...) PQ_PRINTF(5, 6);
/* The same with a hint that was printed, which is freed. */
void pq_store_fail_with(struct pmuq_store *store, struct pq_buf *hint, enum pmuq_code code,
			const char *format, ...) PQ_PRINTF(4, 5);

/* snapshot/kept.c; NULL is allowed. */
void pq_kept_free(struct pq_kept *kept);

/* ---- the file */

enum pq_store_file {
	PQ_STORE_FILE_MISSING,
	PQ_STORE_FILE_EMPTY,
	PQ_STORE_FILE_OURS,
};
/* Inspects the file without changing anything. */
enum pq_store_file pq_store_inspect(struct pmuq_store *store);
/* Checks who owns the database: -PMUQ_E_STORE_FOREIGN, or -PMUQ_E_STORE_NEWER for a later
 * schema. */
void pq_store_check_ids(struct pmuq_store *store, uint32_t application_id, uint32_t user_version);
/* Sets is_foreign. Fails if the file is to be written then, or if others could have written a file
 * next to it that SQLite would read. */
void pq_store_check_trust(struct pmuq_store *store);
/* What the files next to a database end in: rollback journal, log, and its index. */
extern const char *const pq_store_neighbours[3];
/* Whether the file is another than `seen`. */
bool pq_store_is_changed(const struct pmuq_store *store);
/* Whether a writer's log with content is next to the file. */
bool pq_store_has_log(const struct pmuq_store *store);

/* ---- the connection */

/* After a failure the caller disconnects. A reader without locks connects again after a writer
 * has changed the file. */
void pq_store_connect(struct pmuq_store *store);
/* Does nothing if the store is not connected. */
void pq_store_disconnect(struct pmuq_store *store);
/* Statements without parameters and rows, separated by semicolons. */
void pq_store_exec(struct pmuq_store *store, const char *sql);
/* The number that a statement without parameters returns; 0 after an error. */
int64_t pq_store_number(struct pmuq_store *store, const char *sql);

/* ---- transactions */

/* Work in one transaction, for calls of the API that do nothing else with the store: a failure is
 * returned. */
typedef void pq_work(struct pmuq_store *store, void *arg);
/* Begins with that statement, runs the work, and commits unless it failed. */
void pq_store_transact(struct pmuq_store *store, const char *sql, pq_work *run, void *arg);
/* In a batch the work runs in the batch's transaction, which a failure spoils: it can only be
 * rolled back. Else it is committed, unless it failed, or set store->r to PQ_END, which is returned
 * then. */
int pq_store_write(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
		   struct pmuq_error **reterr);
/* Repeats work that a writer disturbed: `run` first frees the result of the attempt before, which
 * is the caller's after a failure, too. NULL: only connects. */
int pq_store_read(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
		  struct pmuq_error **reterr);

/* ---- hosts by name and snapshots by number, and errors that list the existing ones */

/* For work. False if there is no such host, and after an error. */
bool pq_store_find_host(struct pmuq_store *store, struct pmuq_str name, int64_t *ret);
/* The same, but fails if there is no such host. */
int64_t pq_store_need_host(struct pmuq_store *store, struct pmuq_str name);
/* The snapshot of a host with that number, or (0) its newest; fails if the host has no such
 * snapshot. */
int64_t pq_store_find_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t number);
