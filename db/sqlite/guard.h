/* SPDX-License-Identifier: MIT */
/*
 * The cost limits of a connection: SQLite works on a file that anybody could have written, so each
 * connection has its own bounds, before SQLite reads the schema. None of them is process-wide:
 * other code of the process may use SQLite, too.
 */
#pragma once

#include "core/limits.h"
#include "db/sqlite/sqlite_file.h"

/* Sets the bounds of a connection that has just been opened. */
void pq_guard_connection(struct pmuq_store *store);
/* The schema is pmuq's: statements may take as many steps as the size of the file can need. Before
 * that, PQ_STORE_SCHEMA_STEPS_MAX must be enough. */
void pq_guard_trust_schema(struct pmuq_store *store);
/* Begins a new count of steps: for a writer with each statement, for a reader with each
 * transaction. A statement that exceeds it ends with SQLITE_INTERRUPT. */
void pq_guard_refill(struct pmuq_store *store);
