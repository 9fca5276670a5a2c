/* SPDX-License-Identifier: MIT */
/*
 * Work in transactions: it is done completely, or not at all. A reader without locks notices
 * afterwards that the file has changed, and repeats its work.
 */
#include "db/sqlite/guard.h"

/* Frequent writers can disturb every read without locks. Locks need a writable directory, so they
 * are the second choice. */
#define UNLOCKED_TRIES 10
#define READ_TRIES 20

static void roll_back(struct pmuq_store *store)
{
	/* SQLite may have rolled it back itself. */
	if (!store->lib.get_autocommit(store->db))
		store->lib.exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

/* After a failure this does nothing. The transaction before is still open if there was no memory
 * to roll it back. */
static void begin(struct pmuq_store *store, const char *sql)
{
	if (!store->lib.get_autocommit(store->db))
		pq_store_exec(store, "ROLLBACK");
	pq_store_exec(store, sql);
}

void pq_store_transact(struct pmuq_store *store, const char *sql, pq_work *run, void *arg)
{
	pq_guard_refill(store);
	begin(store, sql);
	if (store->r == 0)
		run(store, arg);
	if (store->r == 0)
		pq_store_exec(store, "COMMIT");
	roll_back(store);
}

static void check_writable(struct pmuq_store *store)
{
	if (store->mode == PMUQ_STORE_READ)
		pq_store_refuse(store, PMUQ_E_STORE_WRITE, 0, NULL,
				"the database was opened for reading only");
}

int pq_store_write(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
		   struct pmuq_error **reterr)
{
	if (store->is_in_batch && store->has_failed)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "a call has failed in this transaction: roll it back");
	pq_store_begin_call(store, doing, reterr);
	check_writable(store);
	if (store->is_in_batch)
		run(store, arg);
	else
		pq_store_transact(store, "BEGIN IMMEDIATE", run, arg);
	store->has_failed = store->is_in_batch && store->r < 0;
	return pq_store_end_call(store);
}

/* A batch: many calls in one transaction, for imports. A call that fails leaves the batch open, but
 * it cannot be committed any more. */
PQ_API int pmuq_store_begin(struct pmuq_store *store, struct pmuq_error **reterr)
{
	if (store->is_in_batch)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a transaction is open already");
	pq_store_begin_call(store, "cannot write", reterr);
	check_writable(store);
	begin(store, "BEGIN IMMEDIATE");
	store->is_in_batch = store->r == 0;
	store->has_failed = false;
	return pq_store_end_call(store);
}

PQ_API void pmuq_store_roll_back(struct pmuq_store *store)
{
	if (store->is_in_batch)
		roll_back(store);
	store->is_in_batch = false;
}

PQ_API int pmuq_store_commit(struct pmuq_store *store, struct pmuq_error **reterr)
{
	if (!store->is_in_batch)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "no transaction is open");
	if (store->has_failed) {
		pmuq_store_roll_back(store);
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a machine could not be saved");
	}
	pq_store_begin_call(store, "cannot save the machines", reterr);
	pq_store_exec(store, "COMMIT");
	pmuq_store_roll_back(store);
	return pq_store_end_call(store);
}

/* Connects again if the file has changed since it was opened without locks. */
static void reconnect(struct pmuq_store *store)
{
	if (store->db &&
	    !(store->is_immutable &&
	      (pq_store_is_changed(store) || (!store->is_foreign && pq_store_has_log(store)))))
		return;
	pq_store_disconnect(store);
	pq_store_connect(store);
	if (store->r < 0)
		pq_store_disconnect(store);
}

/* One attempt. False if a writer disturbed it: its result is not used, and its error is dropped. */
static bool try_read(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
		     struct pmuq_error **reterr)
{
	struct pmuq_error *error = NULL;
	bool is_sound;

	pq_store_begin_call(store, doing, &error);
	reconnect(store);
	store->doing = doing;
	if (store->r == 0 && run)
		pq_store_transact(store, "BEGIN", run, arg);
	is_sound = !store->is_immutable || !pq_store_is_changed(store);
	if (is_sound && store->r < 0 && reterr)
		*reterr = move(error);
	pmuq_error_free(error);
	return is_sound;
}

int pq_store_read(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
		  struct pmuq_error **reterr)
{
	for (unsigned i = 0; !store->is_in_batch && i < READ_TRIES; i++) {
		store->wants_locks = i >= UNLOCKED_TRIES;
		if (try_read(store, doing, run, arg, reterr))
			return pq_store_end_call(store);
	}
	pq_store_begin_call(store, doing, reterr);
	/* The batch sees what it has written. */
	if (store->is_in_batch)
		run(store, arg);
	else
		pq_store_fail(store, SQLITE_BUSY);
	return pq_store_end_call(store);
}
