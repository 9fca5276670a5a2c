/* SPDX-License-Identifier: MIT */
/*
 * The store object and what the files of this module, and vendor/, do with a whole store: open it,
 * run work in a transaction, report errors. Statements are in statement.h, contents in
 * content/content.h. engine.h is the interface to SQLite and PostgreSQL: nothing outside
 * of their directories depends on which of them a store uses.
 */
#pragma once

#include "core/buf.h"
#include "core/catalog/model.h"
#include "core/error.h"
#include <pmuq/pmuq.h>

/* The number of statements in the source is smaller. */
#define PQ_STATEMENTS_MAX 256

/* A compiled statement, until the store is disconnected: statement.c. */
struct pq_cached_stmt {
	const char *text;	      /* of its struct pq_sql, compared as an address; NULL: free */
	const struct pq_table *table; /* also of it */
	bool has_owner;		      /* also of it */
	void *compiled;		      /* the engine's */
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
	const struct pq_engine *engine;
	struct pq_sqlite_file *sqlite; /* of the engine SQLite; else NULL */
	struct pq_pg_server *pg;       /* of the engine PostgreSQL; else NULL */
	struct pq_cached_stmt statements[PQ_STATEMENTS_MAX];
	/* NULL: the connection of an agent, which has no right in the schema of the store
	 * (inbox/). */
	const struct pq_schema *schema;
	char *name;	   /* for errors: as the caller wrote it, but without a password */
	const char *doing; /* "cannot …", for errors; static */
	enum pmuq_store_mode mode;
	bool is_ready;	      /* connected, and up to date */
	bool is_in_batch;     /* between pmuq_store_begin() and pmuq_store_commit() */
	bool has_failed;      /* a call has failed in the batch */
	bool has_contents;    /* the transaction has locked the contents */
	struct pq_kept *kept; /* machines that were read lately: snapshot/kept.h */
};

/* ---- errors: each function sets the error unless there is one */

/* A call begins without an error; its end returns r. */
void pq_store_begin_call(struct pmuq_store *store, const char *doing, struct pmuq_error **reterr);
int pq_store_end_call(struct pmuq_store *store);

/* The database contains data that no pmuq writes: -PMUQ_E_STORE_CORRUPT. */
void pq_store_fail_content(struct pmuq_store *store, const char *what);
/* The same, unless the time is one that documents can have: seconds since 1970, until 9999. */
void pq_store_check_time(struct pmuq_store *store, int64_t time_s);
void pq_store_fail_memory(struct pmuq_store *store);
/* A text or a list is longer than the store may have. */
void pq_store_fail_too_long(struct pmuq_store *store);
/* Another process uses the database: -PMUQ_E_STORE_BUSY, after which a program may try again. */
void pq_store_fail_busy(struct pmuq_store *store, const char *why);
/* An error about the database: with an errno (or 0) and a hint (or NULL). */
void pq_store_refuse(struct pmuq_store *store, enum pmuq_code code, int errnum, const char *hint,
		     const char *format, ...) PQ_PRINTF(5, 6);
/* The same with a hint that was printed, which is freed. */
void pq_store_fail_with(struct pmuq_store *store, struct pq_buf *hint, enum pmuq_code code,
			const char *format, ...) PQ_PRINTF(4, 5);

/* snapshot/kept.c; NULL is allowed. */
void pq_kept_free(struct pq_kept *kept);

/* ---- the connection */

/* After a failure the caller disconnects. */
void pq_store_connect(struct pmuq_store *store);
/* Frees the compiled statements and closes the connection; does nothing if there is none. */
void pq_store_disconnect(struct pmuq_store *store);
/* Statements without parameters and rows, separated by semicolons. */
void pq_store_exec(struct pmuq_store *store, const char *sql);
/* The number that a statement without parameters returns; 0 after an error. */
int64_t pq_store_number(struct pmuq_store *store, const char *sql);

/* ---- transactions */

/* Work in one transaction, for calls of the API that do nothing else with the store: a failure is
 * returned. */
typedef void pq_work(struct pmuq_store *store, void *arg);
enum pq_transaction {
	PQ_TRANSACTION_READ,  /* the state of one moment */
	PQ_TRANSACTION_HOST,  /* writes one host; see pq_store_write_host() */
	PQ_TRANSACTION_ALONE, /* no other process writes */
};
/* Begins such a transaction, runs the work, and commits unless it failed. */
void pq_store_transact(struct pmuq_store *store, enum pq_transaction type, pq_work *run, void *arg);
/* In a batch the work runs in the batch's transaction, which a failure spoils: it can only be
 * rolled back. Else it is committed, unless it failed, or set store->r to PQ_END, which is returned
 * then. */
int pq_store_write(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
		   struct pmuq_error **reterr);
/* The same for work on one host, which other processes may do for other hosts at the same time. The
 * work begins with pq_store_lock_host(), and locks the contents before it adds or deletes one. */
int pq_store_write_host(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
			struct pmuq_error **reterr);
void pq_store_lock_host(struct pmuq_store *store, struct pmuq_str name);
/* What pmuq_store_begin() and pmuq_store_commit() do; `doing` is for errors. */
int pq_store_begin_batch(struct pmuq_store *store, const char *doing, struct pmuq_error **reterr);
int pq_store_commit_batch(struct pmuq_store *store, const char *doing, struct pmuq_error **reterr);
/* True if it was locked now: what was read of contents before may have changed. */
bool pq_store_lock_contents(struct pmuq_store *store);
/* Repeats work that a writer disturbed: `run` first frees the result of the attempt before, which
 * is the caller's after a failure, too. NULL: only connects. */
int pq_store_read(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
		  struct pmuq_error **reterr);

/* ---- hosts by name and snapshots by number, and errors that list the existing ones */

/* Of a host that is to be stored: 0 or -PMUQ_E_BAD_CALL. */
int pq_host_name_check(struct pmuq_str name, struct pmuq_error **reterr);
/* For work. False if there is no such host, and after an error. */
bool pq_store_find_host(struct pmuq_store *store, struct pmuq_str name, int64_t *ret);
/* The same, but fails if there is no such host. */
int64_t pq_store_need_host(struct pmuq_store *store, struct pmuq_str name);
/* The snapshot of a host with that number, or (0) its newest; fails if the host has no such
 * snapshot. */
int64_t pq_store_find_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t number);
