/* SPDX-License-Identifier: MIT */
/* All of a work, or nothing; and reading that notices when the file changed under it. */
#include "db/bind.h"

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
	return run_within(store, PQ_SQL_BEGIN_WRITE, work, reterr);
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
	for (unsigned i = 0; i < READ_TRIES; i++) {
		int r;

		store->wants_locks = i >= UNLOCKED_TRIES;
		r = try_read(store, work, reterr);
		if (r != PQ_NONE)
			return r;
	}
	return pq_store_fail(store, SQLITE_BUSY, reterr);
}
