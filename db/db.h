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
 * The first error of the work in a transaction sticks: it is in *reterr, and its code in r. After
 * it, statements, tables and contents do nothing and return empty values, so that work needs no
 * check between its steps; pq_store_write() and pq_store_read() roll back and return r. Functions
 * that open the file and begin transactions take reterr, and return their failure.
 */
struct pmuq_store {
	int r;
	struct pmuq_error **reterr; /* while work runs; may be NULL */
	struct pq_sqlite lib;
	sqlite3 *db;
	struct pq_cached_stmt statements[PQ_STATEMENTS_MAX];
	const struct pq_schema *schema;
	char *name;	   /* as the caller wrote it, for errors */
	char *path;	   /* the same file wherever the process goes */
	char *file;	   /* the file behind the links; the log is next to it */
	const char *doing; /* "cannot …", for errors; static; of the work */
	enum pmuq_store_mode mode;
	bool is_ready;	   /* connected, and up to date */
	bool wants_locks;  /* reading without locks did not succeed */
	bool is_immutable; /* read without locks; `seen` shows later whether that was sound */
	bool is_foreign;   /* others could have written it: trust.c */
	bool is_in_batch;  /* between pmuq_store_begin() and pmuq_store_commit() */
	bool has_failed;   /* a call has failed in the batch */
	uint64_t steps_max, steps_left; /* of SQLite's virtual machine: guard.h */
	int64_t memory_before;		/* bytes of SQLite when the count of steps began */
	struct stat seen; /* the file when it was inspected, or when its time was old enough */
	uint32_t header_version; /* user_version of the file, without its log */
};

/* ---- errors */

/* An error about the database: with an errno (or 0) and a hint (or NULL). Returns -code. */
int pq_store_refuse(const struct pmuq_store *store, enum pmuq_code code, int errnum,
		    const char *hint, struct pmuq_error **reterr, const char *format, ...)
	PQ_PRINTF(6, 7);
/* A result code of SQLite as an error: sqlite/sqlite_error.c has the table. Of a connection that is
 * open, it adds SQLite's message, so call it before the next call of SQLite. */
int pq_store_fail(struct pmuq_store *store, int rc, struct pmuq_error **reterr);
/* The database contains what no pmuq writes: -PMUQ_E_STORE_CORRUPT. */
int pq_store_fail_content(struct pmuq_store *store, const char *what, struct pmuq_error **reterr);
/* For work: sets the error unless there is one, from a result code, about a content, or because
 * there is no memory. */
void pq_work_fail(struct pmuq_store *store, int rc);
void pq_work_fail_content(struct pmuq_store *store, const char *what);
void pq_work_fail_memory(struct pmuq_store *store);
/* The same with a message of its own, about the database, and a hint, which is freed. */
void pq_work_fail_with(struct pmuq_store *store, struct pq_buf *hint, enum pmuq_code code,
		       const char *format, ...) PQ_PRINTF(4, 5);
/* 0, or a failure if the store was opened for reading only. */
int pq_store_check_writable(const struct pmuq_store *store, struct pmuq_error **reterr);

/* ---- the file */

enum pq_store_file {
	PQ_STORE_FILE_MISSING,
	PQ_STORE_FILE_EMPTY,
	PQ_STORE_FILE_OURS,
};
/* Inspects the file without changing anything. */
int pq_store_inspect(struct pmuq_store *store, enum pq_store_file *ret, struct pmuq_error **reterr);
/* Whose database it is: 0, -PMUQ_E_STORE_FOREIGN, or -PMUQ_E_STORE_NEWER for a later schema. */
int pq_store_check_ids(struct pmuq_store *store, uint32_t application_id, uint32_t user_version,
		       struct pmuq_error **reterr);
/* Sets is_foreign. Fails if the file is to be written then, and if a file next to it that SQLite
 * would read could be somebody else's. */
int pq_store_check_trust(struct pmuq_store *store, struct pmuq_error **reterr);
/* What the files next to a database end in: rollback journal, log, and its index. */
extern const char *const pq_store_neighbours[3];
/* Whether the file is another than `seen`. */
bool pq_store_is_changed(const struct pmuq_store *store);
/* Whether a writer's log with content is next to the file. */
bool pq_store_has_log(const struct pmuq_store *store);

/* ---- the connection */

/* After a failure the caller disconnects. A reader without locks connects again after a writer
 * has changed the file. */
int pq_store_connect(struct pmuq_store *store, struct pmuq_error **reterr);
/* Does nothing if the store is not connected. */
void pq_store_disconnect(struct pmuq_store *store);
/* Statements without parameters and rows, separated by semicolons. Work must store the result in
 * store->r itself. */
int pq_store_exec(struct pmuq_store *store, const char *sql, struct pmuq_error **reterr);
/* The number that a statement without parameters returns. */
int pq_store_number(struct pmuq_store *store, const char *sql, int64_t *ret,
		    struct pmuq_error **reterr);

/* ---- transactions */

/* Work in one transaction. pq_store_read() repeats work that a writer disturbed: `run` first frees
 * the result of the attempt before, which is the caller's after a failure, too. */
struct pq_work {
	const char *doing;				  /* "cannot …", for errors */
	void (*run)(struct pmuq_store *store, void *arg); /* NULL: only connects, to read */
	void *arg;
	bool is_trial; /* roll back at the end */
};
/* In a batch the work runs in the batch's transaction, which a failure spoils: it can only be
 * rolled back. Else it is committed, unless it failed or is a trial. */
int pq_store_write(struct pmuq_store *store, const struct pq_work *work,
		   struct pmuq_error **reterr);
int pq_store_read(struct pmuq_store *store, const struct pq_work *work, struct pmuq_error **reterr);

/* ---- hosts by name and snapshots by number, and errors with what there is instead */

/* For work. False if there is no such host, and after an error. */
bool pq_store_find_host(struct pmuq_store *store, struct pmuq_str name, int64_t *ret);
/* The same, but fails if there is no such host. */
int64_t pq_store_need_host(struct pmuq_store *store, struct pmuq_str name);
/* The snapshot of a host with that number, or (0) its newest; fails if the host has no such
 * snapshot. */
int64_t pq_store_find_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t number);
