/* SPDX-License-Identifier: MIT */
/*
 * The bounds of a connection: guard.h. A file whose pages refer to each other in a cycle, or twice
 * to the same page, has any number of rows: hence steps are counted, and their number follows from
 * the size of the file.
 */
#include "db/sqlite/guard.h"

/* How many steps SQLite takes between two calls of the handler; a shorter statement is free. */
#define STEPS_AT_ONCE 1000

static const struct {
	int id, value;
} limits[] = {
	{ SQLITE_LIMIT_LENGTH, PQ_STORE_VALUE_MAX_BYTES },
	{ SQLITE_LIMIT_SQL_LENGTH, PQ_STORE_SQL_MAX_BYTES },
	{ SQLITE_LIMIT_COLUMN, PQ_STORE_COLUMNS_MAX },
	{ SQLITE_LIMIT_EXPR_DEPTH, 50 },
	{ SQLITE_LIMIT_COMPOUND_SELECT, 10 },
	{ SQLITE_LIMIT_VDBE_OP, 25000 },
	{ SQLITE_LIMIT_FUNCTION_ARG, 8 },
	{ SQLITE_LIMIT_ATTACHED, 0 },
	{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100 },
	{ SQLITE_LIMIT_VARIABLE_NUMBER, 100 },
	/* ON DELETE CASCADE counts. */
	{ SQLITE_LIMIT_TRIGGER_DEPTH, 10 },
	{ SQLITE_LIMIT_WORKER_THREADS, 0 },
};

/* No statement of pmuq's uses a view or a trigger: those in schema.sql are for users. */
static const struct {
	int id, value;
} switches[] = {
	{ SQLITE_DBCONFIG_DEFENSIVE, 1 },      { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
	{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 }, { SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
	{ SQLITE_DBCONFIG_ENABLE_FKEY, 1 },
};

/* Not zero ends the statement with SQLITE_INTERRUPT. */
static int take_steps(void *arg)
{
	struct pmuq_store *store = arg;

	if (store->sqlite->steps_left < STEPS_AT_ONCE ||
	    store->sqlite->lib.memory_used() - store->sqlite->memory_before >
		    PQ_STORE_MEMORY_MAX_BYTES)
		return 1;
	store->sqlite->steps_left -= STEPS_AT_ONCE;
	return 0;
}

void pq_guard_connection(struct pmuq_store *store)
{
	const struct pq_sqlite *lib = &store->sqlite->lib;
	sqlite3_int64 mapped = 0;

	for (size_t i = 0; i < COUNT(limits); i++)
		lib->limit(store->sqlite->db, limits[i].id, limits[i].value);
	for (size_t i = 0; i < COUNT(switches); i++)
		if (lib->db_config(store->sqlite->db, switches[i].id, switches[i].value,
				   (int *)NULL))
			pq_sqlite_fail(store, SQLITE_ERROR);
	/* A file that becomes shorter must not end the process with a signal. */
	lib->file_control(store->sqlite->db, "main", SQLITE_FCNTL_MMAP_SIZE, &mapped);
	store->sqlite->steps_max = PQ_STORE_SCHEMA_STEPS_MAX;
	pq_guard_refill(store);
	lib->progress_handler(store->sqlite->db, STEPS_AT_ONCE, take_steps, store);
	/* cell_size_check finds corrupt pages before they are used. */
	pq_sqlite_exec(store, "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY");
}

void pq_guard_trust_schema(struct pmuq_store *store)
{
	store->sqlite->steps_max = PQ_STORE_STEPS_MAX + (uint64_t)store->sqlite->seen.st_size *
								PQ_STORE_STEPS_PER_BYTE_MAX;
	pq_guard_refill(store);
}

void pq_guard_refill(struct pmuq_store *store)
{
	store->sqlite->steps_left = store->sqlite->steps_max;
	store->sqlite->memory_before = store->sqlite->lib.memory_used();
}
