/* SPDX-License-Identifier: MIT */
/*
 * Tables whose columns are the fields of a row struct. A table is described once: its INSERT and
 * SELECT statements, and the bytes that are hashed, are made from that description.
 */
#pragma once

#include "db/statement.h"

struct pq_table {
	const char *name;
	/* The column with the id of the row of another table that owns the rows; the column
	 * `position` numbers them. NULL: each row has an id of its own. Of the table of a set: the
	 * table whose rows refer to it. */
	const char *owner;
	const struct pq_column *columns;
	size_t n_columns;
	size_t row_bytes;
};

/* Of a query of all columns of a table. */
#define PQ_TABLE_COLUMNS(of) .columns = (of)->columns, .n_columns = (of)->n_columns, .table = (of)

#define PQ_ROWS(row, array) PQ_COLUMNS(array), .row_bytes = sizeof(row)

/* Adds a row that has an id of its own, and returns the id. `hash` is that of a content, of which
 * the row has all columns but the hash; else NULL. */
int64_t pq_table_add(struct pmuq_store *store, const struct pq_table *table,
		     const struct pq_hash *hash, const void *row);
/* Adds rows of an owner, the first at `position`. */
void pq_table_add_rows(struct pmuq_store *store, const struct pq_table *table, int64_t owner,
		       size_t position, struct pq_rows rows);
/* Reads the rows of an owner, in order. */
struct pq_rows pq_table_load(struct pmuq_store *store, const struct pq_table *table, int64_t owner,
			     struct pq_arena *arena);

/* Of a PQ_COLUMN_REF, the hash of the content is hashed. */
void pq_row_hash(const struct pq_column *columns, size_t n, const void *row,
		 struct pq_hasher *hasher);
