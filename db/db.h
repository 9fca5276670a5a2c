/* SPDX-License-Identifier: MIT */
/*
 * The door between the files of this room: the store object, and how it is opened, asked and
 * complained of. Statements with their parameters and columns are in bind.h.
 */
#ifndef PQ_DB_H
#define PQ_DB_H

#include "db/sql.h"
#include "db/sqlite_lib.h"
#include <pmuq/pmuq.h>
#include <sys/stat.h>

/* "pmuq", in the header of the file. */
#define PQ_APPLICATION_ID 0x706d7571

struct pmuq_store {
	struct pq_sqlite lib;
	sqlite3 *db;
	sqlite3_stmt *statements[PQ_SQL_COUNT];
	char *path;	   /* as it was given, for errors */
	char *place;	   /* the same wherever the process goes */
	char *file;	   /* where that leads to: the log stands beside it */
	const char *doing; /* "cannot …", for errors; static */
	enum pmuq_store_mode mode;
	bool is_ready;	   /* connected, and up to date */
	bool wants_locks;  /* reading without them came to nothing */
	bool is_immutable; /* read without locks; `seen` tells whether that was sound */
	bool is_in_batch;  /* between pmuq_store_begin() and pmuq_store_commit() */
	bool is_spoilt;	   /* something has failed there */
	struct stat seen;
};

/* Adds the version of libsqlite3 ("3.40.1"); false when there is none that can be used. */
bool pq_sqlite_version(struct pq_buf *ret);

/* fail.c: what SQLite said, in our words. */
int pq_store_fail(struct pmuq_store *store, int rc, struct pmuq_error **reterr);
/* Content that no pmuq has written. */
int pq_store_fail_content(struct pmuq_store *store, const char *what, struct pmuq_error **reterr);

/* Words for an errno, whatever the locale. */
const char *pq_store_errno_text(int errnum);

/* look.c: what stands at the path, found out without changing anything there. */
enum pq_look {
	PQ_LOOK_MISSING,
	PQ_LOOK_EMPTY,
	PQ_LOOK_OURS,
};
int pq_store_look(struct pmuq_store *store, enum pq_look *ret, struct pmuq_error **reterr);
int pq_store_check_ids(struct pmuq_store *store, uint32_t application_id, uint32_t user_version,
		       struct pmuq_error **reterr);
/* Whether the file is another than `seen`. */
bool pq_store_is_changed(const struct pmuq_store *store);
/* Whether a writer's log stands beside it, with something in it. */
bool pq_store_has_log(const struct pmuq_store *store);

/* connect.c: the connection. Disconnecting an unconnected store is fine. */
int pq_store_connect(struct pmuq_store *store, struct pmuq_error **reterr);
void pq_store_disconnect(struct pmuq_store *store);
int pq_store_exec(struct pmuq_store *store, const char *sql, struct pmuq_error **reterr);
int pq_store_pragma(struct pmuq_store *store, const char *sql, int64_t *ret,
		    struct pmuq_error **reterr);

/* migrate.c: brings the schema up to date. */
int pq_store_migrate(struct pmuq_store *store, struct pmuq_error **reterr);
/* How many steps there are: the user_version of an up-to-date store. */
unsigned pq_store_schema_version(void);

/* kinds.c: gives the snapshots that have none their kind. */
int pq_kinds_fill(struct pmuq_store *store, struct pmuq_error **reterr);

/* transaction.c: some work in one transaction. One of reading may be run again when a writer came
 * between; `undo` then takes back what it gave. */
struct pq_work {
	int (*run)(struct pmuq_store *store, void *arg, struct pmuq_error **reterr);
	void (*undo)(void *arg);
	void *arg;
};
int pq_store_write(struct pmuq_store *store, const struct pq_work *work,
		   struct pmuq_error **reterr);
int pq_store_read(struct pmuq_store *store, const struct pq_work *work, struct pmuq_error **reterr);

/* find.c: a host's id, or PQ_NONE; and what there is instead. */
int pq_store_find_host(struct pmuq_store *store, struct pmuq_str name, int64_t *ret,
		       struct pmuq_error **reterr);
int pq_store_fail_unknown_host(struct pmuq_store *store, struct pmuq_str name,
			       struct pmuq_error **reterr);
int pq_store_fail_unknown_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t host,
				   int64_t snapshot, struct pmuq_error **reterr);

#endif
