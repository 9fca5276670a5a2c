/* SPDX-License-Identifier: MIT */
/*
 * Work in transactions: all of it is done, or nothing. A reader without locks notices afterwards
 * that the file has changed, and repeats its work.
 */
#include "db/sqlite/guard.h"

/* A writer that comes and goes all the time can disturb every read without locks. Locks need a
 * writable directory, so they are only the second choice. */
#define UNLOCKED_TRIES 10
#define READ_TRIES 20

static void roll_back(struct pmuq_store *store)
{
	/* SQLite may have done so itself. */
	if (!store->lib.get_autocommit(store->db))
		pq_store_exec(store, "ROLLBACK", NULL);
}

/* The transaction before is still open if there was no memory to roll it back. */
static int begin(struct pmuq_store *store, const char *sql, struct pmuq_error **reterr)
{
	int r = 0;

	if (!store->lib.get_autocommit(store->db))
		r = pq_store_exec(store, "ROLLBACK", reterr);
	return r == 0 ? pq_store_exec(store, sql, reterr) : r;
}

/* Runs the work, and returns its first error. */
static int run(struct pmuq_store *store, const struct pq_work *work, struct pmuq_error **reterr)
{
	store->r = 0;
	store->reterr = reterr;
	store->doing = work->doing;
	work->run(store, work->arg);
	store->reterr = NULL;
	return store->r;
}

static int run_within(struct pmuq_store *store, const char *sql, const struct pq_work *work,
		      struct pmuq_error **reterr)
{
	int r;

	pq_guard_refill(store);
	r = begin(store, sql, reterr);
	if (r < 0)
		return r;
	r = run(store, work, reterr);
	if (r == 0 && !work->is_trial)
		r = pq_store_exec(store, "COMMIT", reterr);
	roll_back(store);
	return r;
}

int pq_store_write(struct pmuq_store *store, const struct pq_work *work, struct pmuq_error **reterr)
{
	int r;

	store->doing = work->doing;
	if (!store->is_in_batch)
		return run_within(store, "BEGIN IMMEDIATE", work, reterr);
	if (store->has_failed)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "a call has failed in this transaction: roll it back");
	r = run(store, work, reterr);
	store->has_failed |= r < 0;
	return r;
}

/* A batch: many calls in one transaction, for imports. A call that fails leaves the batch open, but
 * it cannot be committed any more. */
PQ_API int pmuq_store_begin(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r;

	if (store->is_in_batch)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a transaction is open already");
	r = pq_store_check_writable(store, reterr);
	if (r < 0)
		return r;
	store->doing = "cannot write";
	r = begin(store, "BEGIN IMMEDIATE", reterr);
	store->is_in_batch = r == 0;
	store->has_failed = false;
	return r;
}

PQ_API void pmuq_store_roll_back(struct pmuq_store *store)
{
	if (store->is_in_batch)
		roll_back(store);
	store->is_in_batch = false;
}

PQ_API int pmuq_store_commit(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r;

	if (!store->is_in_batch)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "no transaction is open");
	if (store->has_failed) {
		pmuq_store_roll_back(store);
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a machine could not be saved");
	}
	store->doing = "cannot save the machines";
	r = pq_store_exec(store, "COMMIT", reterr);
	pmuq_store_roll_back(store);
	return r;
}

/* Connects again if the file has changed since it was opened without locks. */
static int reconnect(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r = 0;

	if (!store->db ||
	    (store->is_immutable &&
	     (pq_store_is_changed(store) || (!store->is_foreign && pq_store_has_log(store))))) {
		pq_store_disconnect(store);
		r = pq_store_connect(store, reterr);
		if (r < 0)
			pq_store_disconnect(store);
	}
	return r;
}

/* One attempt. False if a writer disturbed it: its result does not count. The error of a disturbed
 * attempt is dropped with its result. */
static bool try_read(struct pmuq_store *store, const struct pq_work *work, int *ret,
		     struct pmuq_error **reterr)
{
	struct pmuq_error *error = NULL;
	int r = reconnect(store, &error);
	bool is_sound;

	store->doing = work->doing;
	if (r == 0 && work->run)
		r = run_within(store, "BEGIN", work, &error);
	is_sound = !store->is_immutable || !pq_store_is_changed(store);
	if (is_sound && r < 0 && reterr)
		*reterr = move(error);
	pmuq_error_free(error);
	*ret = r;
	return is_sound;
}

int pq_store_read(struct pmuq_store *store, const struct pq_work *work, struct pmuq_error **reterr)
{
	/* The batch sees what it has written. */
	if (store->is_in_batch)
		return run(store, work, reterr);
	for (unsigned i = 0; i < READ_TRIES; i++) {
		int r;

		store->wants_locks = i >= UNLOCKED_TRIES;
		if (try_read(store, work, &r, reterr))
			return r;
	}
	return pq_store_fail(store, SQLITE_BUSY, reterr);
}
