/* SPDX-License-Identifier: MIT */
/*
 * A statement of sql.h in use: parameters bound in order, columns read by type. A failure to bind
 * or to read a column sticks, and the next step answers it: nothing is lost between.
 *
 *     cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
 */
#ifndef PQ_BIND_H
#define PQ_BIND_H

#include "core/arena.h"
#include "db/db.h"
#include "db/digest.h"

struct pq_stmt {
	struct pmuq_store *store;
	sqlite3_stmt *stmt;
	int n_bound;
	int rc; /* the failure that stuck, or SQLITE_OK */
};

int pq_stmt_begin(struct pq_stmt *stmt, struct pmuq_store *store, enum pq_sql which,
		  struct pmuq_error **reterr);
void pq_stmt_end(struct pq_stmt *stmt);

void pq_bind_int(struct pq_stmt *stmt, int64_t value);
void pq_bind_null(struct pq_stmt *stmt);
/* Not copied: it must live until the statement has run. NULL for .p == NULL. */
void pq_bind_str(struct pq_stmt *stmt, struct pmuq_str text);
void pq_bind_hash(struct pq_stmt *stmt, const struct pq_hash *hash);

/* The next row: 0, PQ_NONE behind the last (parameters may be bound anew then), or a failure. */
int pq_stmt_step(struct pq_stmt *stmt, struct pmuq_error **reterr);
/* Begins the statement that finds the id of a name, and asks it: 0, PQ_NONE or a failure. */
int pq_stmt_find_id(struct pmuq_store *store, enum pq_sql which, struct pmuq_str name, int64_t *ret,
		    struct pmuq_error **reterr);
/* What stuck, where the step behind the last column is not taken. */
int pq_stmt_check(struct pq_stmt *stmt, struct pmuq_error **reterr);
/* Runs a statement that gives no rows. */
int pq_stmt_run(struct pq_stmt *stmt, struct pmuq_error **reterr);

bool pq_column_is_null(const struct pq_stmt *stmt, int column);
int64_t pq_column_int(struct pq_stmt *stmt, int column);
bool pq_column_bool(struct pq_stmt *stmt, int column);
/* Copied into the arena; .p == NULL for NULL. */
struct pmuq_str pq_column_str(struct pq_stmt *stmt, int column, struct pq_arena *arena);
/* As before, but NULL is a failure. */
struct pmuq_str pq_column_text(struct pq_stmt *stmt, int column, struct pq_arena *arena);
struct pq_hash pq_column_hash(struct pq_stmt *stmt, int column);

/* One statement with no parameters and no rows. */
int pq_store_run(struct pmuq_store *store, enum pq_sql which, struct pmuq_error **reterr);

#endif
