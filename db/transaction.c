/* SPDX-License-Identifier: MIT */
/* All of a work, or nothing; and reading that notices when the file changed under it. */
#include "db/statement.h"

/* A writer that comes and goes all the time may spoil every reading without locks. Locks need a
 * directory that can be written, so they are only the second choice. */
#define UNLOCKED_TRIES 10
#define READ_TRIES 20

static void roll_back(struct pmuq_store *store)
{
	/* SQLite may have done so itself. */
	if (!store->lib.get_autocommit(store->db))
		pq_store_run(store, PQ_SQL_ROLLBACK, NULL);
}

static int run_within(struct pmuq_store *store, enum pq_sql begin, const struct pq_work *work,
		      struct pmuq_error **reterr)
{
	int r = pq_store_run(store, begin, reterr);

	if (r < 0)
		return r;
	r = work->run(store, work->arg, reterr);
	if (r == 0) {
		r = pq_store_run(store, PQ_SQL_COMMIT, reterr);
		if (r < 0 && work->undo)
			work->undo(work->arg);
	}
	roll_back(store);
	return r;
}

int pq_store_write(struct pmuq_store *store, const struct pq_work *work, struct pmuq_error **reterr)
{
	int r;

	if (!store->is_in_batch)
		return run_within(store, PQ_SQL_BEGIN_WRITE, work, reterr);
	if (store->is_spoilt)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "something has failed in this transaction: roll it back");
	r = work->run(store, work->arg, reterr);
	store->is_spoilt |= r < 0;
	return r;
}

PQ_API int pmuq_store_begin(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r;

	if (store->is_in_batch)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a transaction has begun already");
	if (store->mode == PMUQ_STORE_READ)
		return pq_fail(reterr, PMUQ_E_STORE_WRITE,
			       "the database was opened for reading only");
	store->doing = "cannot write";
	r = pq_store_run(store, PQ_SQL_BEGIN_WRITE, reterr);
	store->is_in_batch = r == 0;
	store->is_spoilt = false;
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
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "no transaction has begun");
	if (store->is_spoilt) {
		pmuq_store_roll_back(store);
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a machine could not be saved");
	}
	store->doing = "cannot save the machines";
	r = pq_store_run(store, PQ_SQL_COMMIT, reterr);
	pmuq_store_roll_back(store);
	return r;
}

static int freshen(struct pmuq_store *store, struct pmuq_error **reterr)
{
	const char *doing = store->doing;
	int r = 0;

	if (!store->db ||
	    (store->is_immutable && (pq_store_is_changed(store) || pq_store_has_log(store)))) {
		pq_store_disconnect(store);
		r = pq_store_connect(store, reterr);
		if (r < 0)
			pq_store_disconnect(store);
	}
	store->doing = doing;
	return r;
}

/* Once; PQ_NONE when it cannot be trusted. */
static int try_read(struct pmuq_store *store, const struct pq_work *work,
		    struct pmuq_error **reterr)
{
	struct pmuq_error *error = NULL;
	int r = freshen(store, &error);

	if (r == 0)
		r = run_within(store, PQ_SQL_BEGIN_READ, work, &error);
	if (!store->is_immutable || !pq_store_is_changed(store)) {
		if (r < 0 && reterr)
			*reterr = move(error);
		pmuq_error_free(error);
		return r;
	}
	if (r == 0 && work->undo)
		work->undo(work->arg);
	pmuq_error_free(error);
	return PQ_NONE;
}

int pq_store_read(struct pmuq_store *store, const struct pq_work *work, struct pmuq_error **reterr)
{
	/* What was written there is seen already. */
	if (store->is_in_batch)
		return work->run(store, work->arg, reterr);
	for (unsigned i = 0; i < READ_TRIES; i++) {
		int r;

		store->wants_locks = i >= UNLOCKED_TRIES;
		r = try_read(store, work, reterr);
		if (r != PQ_NONE)
			return r;
	}
	return pq_store_fail(store, SQLITE_BUSY, reterr);
}
