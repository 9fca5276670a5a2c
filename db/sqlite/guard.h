/* SPDX-License-Identifier: MIT */
/*
 * What one connection may cost: SQLite works on a file that anybody could have written, so each
 * connection has its own bounds, before SQLite reads the schema. None of them is process-wide:
 * other code of the process may use SQLite, too.
 */
#pragma once

#include "db/db.h"

/* Bytes of one value or row: SQLite refuses longer ones, written and read. The longest that pmuq
 * writes is a text of a vendor's table; the texts of machines are at most 88 KiB. */
#define PQ_STORE_VALUE_MAX (4 << 20)
/* Bytes of one statement, also of the schema: four times the longest of pmuq's own. */
#define PQ_STORE_SQL_MAX (16 << 10)
/* Columns of a table or a result: pmuq's own have at most 16. */
#define PQ_STORE_COLUMNS_MAX 64
/* Rows that are read into one array, and of a content that is saved. A machine with the most PMUs
 * has some ten thousand; half a million fit in the memory of a reader. */
#define PQ_STORE_ROWS_MAX 500000
/* Steps of SQLite's virtual machine until the schema is known to be pmuq's; pmuq's needs 2000. */
#define PQ_STORE_SCHEMA_STEPS_MAX 200000
/* Steps for one reading transaction, or for one statement of a writer: that many, and some for each
 * byte of the file. A step takes about 20 ns, and a query of pmuq's less than one for each byte. */
#define PQ_STORE_STEPS_MAX 20000000
#define PQ_STORE_STEPS_PER_BYTE_MAX 8

/* Sets the bounds of a connection that has just been opened. */
int pq_guard_connection(struct pmuq_store *store, struct pmuq_error **reterr);
/* The schema is pmuq's: statements may take the steps that the size of the file explains. */
void pq_guard_trust_schema(struct pmuq_store *store);
/* Begins a new count of steps. */
void pq_guard_refill(struct pmuq_store *store);
