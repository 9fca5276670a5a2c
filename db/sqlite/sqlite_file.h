/* SPDX-License-Identifier: MIT */
/*
 * A store in an SQLite file: what this directory keeps about the file and its connection.
 *
 * A connection is made in this order: pq_store_inspect(), pq_store_check_trust(), then SQLite opens
 * the file, its bounds are set (guard.h), and pq_schema_check() compares the schema. Only then may
 * a statement use a table. So nothing is created next to a file that is not pmuq's.
 */
#pragma once

#include "db/db.h"
#include "db/sqlite/sqlite_lib.h"
#include <sys/stat.h>

/* "pmuq", in the header of the file: PRAGMA application_id, at byte 68 of the SQLite file format.
 */
#define PQ_APPLICATION_ID 0x706d7571

/* What to do about a corrupt database. */
#define PQ_SQLITE_RESTORE                                                                          \
	"restore it from a copy, or move it away and scan again; pmuq did not change it"

struct pq_sqlite_file {
	struct pq_sqlite lib;
	sqlite3 *db;
	char *path;	    /* the file wherever the process goes */
	char *file;	    /* the file that the links lead to; the log is next to it */
	bool wants_locks;   /* reading without locks did not succeed */
	bool is_immutable;  /* read without locks; `seen` shows later whether that was sound */
	bool is_foreign;    /* others could have written it: trust.c */
	bool has_functions; /* the connection has those of functions.c */
	uint64_t steps_max, steps_left; /* of SQLite's virtual machine: guard.h */
	int64_t memory_before;		/* bytes of SQLite when the count of steps began */
	struct stat seen; /* the file when it was inspected, or when its time was old enough */
	uint32_t header_version; /* user_version of the file, without its log */
};

/* A result code of SQLite: sqlite_error.c has the table. Of a connection that is open, it adds
 * SQLite's message, so call it before the next call of SQLite. */
void pq_sqlite_fail(struct pmuq_store *store, int rc);

/* functions.c: see struct pq_engine. */
bool pq_sqlite_begin_search(struct pmuq_store *store);
/* The type of a parameter that points to struct pq_ids: sqlite3_bind_pointer(3). */
#define PQ_SQLITE_IDS "struct pq_ids"

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
/* The path up to its last slash, or the current directory; the caller frees it. NULL when out of
 * memory. */
char *pq_store_directory_of(const char *path);
/* Sets is_foreign. Fails if the file is to be written then, or if others could have written a file
 * next to it that SQLite would read. */
void pq_store_check_trust(struct pmuq_store *store);
/* What the files next to a database end in: rollback journal, log, and its index. */
extern const char *const pq_store_neighbours[3];
/* Whether the file is another than `seen`. */
bool pq_store_is_changed(const struct pmuq_store *store);
/* Whether a writer's log with content is next to the file. */
bool pq_store_has_log(const struct pmuq_store *store);

/* ---- the connection: connect.c */

void pq_sqlite_connect(struct pmuq_store *store);
void pq_sqlite_disconnect(struct pmuq_store *store);
/* Statements without parameters and rows. */
void pq_sqlite_exec(struct pmuq_store *store, const char *sql);
/* The number that a statement without parameters returns; 0 after an error. */
int64_t pq_sqlite_number(struct pmuq_store *store, const char *sql);

/* Runs the steps of the schema that are missing, and computes all host classes again. */
void pq_schema_update(struct pmuq_store *store);
/* Fails unless the database has exactly the objects of that version, which is not 0. */
void pq_schema_check(struct pmuq_store *store, unsigned version);
