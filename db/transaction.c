/* SPDX-License-Identifier: MIT */
/*
 * Work in transactions: it is done completely, or not at all. A reader without locks notices
 * afterwards that the file has changed, and repeats its work.
 */
#include "db/engine.h"

#define READ_TRIES 20

/* After a failure this does nothing. */
static void begin(struct pmuq_store *store, enum pq_transaction type)
{
	/* A transaction that is alone has all locks. */
	store->has_contents = type != PQ_TRANSACTION_HOST;
	if (store->r == 0)
		store->engine->begin(store, type);
}

static void commit(struct pmuq_store *store)
{
	if (store->r == 0)
		store->engine->commit(store);
}

void pq_store_transact(struct pmuq_store *store, enum pq_transaction type, pq_work *run, void *arg)
{
	begin(store, type);
	if (store->r == 0)
		run(store, arg);
	commit(store);
	store->engine->roll_back(store);
}

/* A reader whose file has changed, or a server that was started again. */
static void connect_again(struct pmuq_store *store, unsigned attempt)
{
	if (!store->engine->must_connect(store, attempt))
		return;
	pq_store_disconnect(store);
	pq_store_connect(store);
	if (store->r < 0)
		pq_store_disconnect(store);
}

static void check_writable(struct pmuq_store *store)
{
	if (store->mode == PMUQ_STORE_READ)
		pq_store_refuse(store, PMUQ_E_STORE_WRITE, 0, NULL,
				"the database was opened for reading only");
}

static int write_within(struct pmuq_store *store, enum pq_transaction type, const char *doing,
			pq_work *run, void *arg, struct pmuq_error **reterr)
{
	if (store->is_in_batch && store->has_failed)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "a call has failed in this transaction: roll it back");
	pq_store_begin_call(store, doing, reterr);
	check_writable(store);
	if (store->r == 0 && !store->is_in_batch)
		connect_again(store, 0);
	store->doing = doing;
	if (store->is_in_batch)
		run(store, arg);
	else
		pq_store_transact(store, type, run, arg);
	store->has_failed = store->is_in_batch && store->r < 0;
	return pq_store_end_call(store);
}

int pq_store_write(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
		   struct pmuq_error **reterr)
{
	return write_within(store, PQ_TRANSACTION_ALONE, doing, run, arg, reterr);
}

int pq_store_write_host(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
			struct pmuq_error **reterr)
{
	return write_within(store, PQ_TRANSACTION_HOST, doing, run, arg, reterr);
}

/* A batch is alone, so it needs no locks. */
void pq_store_lock_host(struct pmuq_store *store, struct pmuq_str name)
{
	if (store->r == 0 && !store->is_in_batch && store->engine->lock_host)
		store->engine->lock_host(store, name);
}

bool pq_store_lock_contents(struct pmuq_store *store)
{
	if (store->r < 0 || store->has_contents || !store->engine->lock_contents)
		return false;
	store->engine->lock_contents(store);
	store->has_contents = true;
	return true;
}

/* A batch: many calls in one transaction, for imports. A call that fails leaves the batch open, but
 * it cannot be committed any more. */
int pq_store_begin_batch(struct pmuq_store *store, const char *doing, struct pmuq_error **reterr)
{
	if (store->is_in_batch)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a transaction is open already");
	pq_store_begin_call(store, doing, reterr);
	check_writable(store);
	if (store->r == 0)
		connect_again(store, 0);
	begin(store, PQ_TRANSACTION_ALONE);
	store->is_in_batch = store->r == 0;
	store->has_failed = false;
	return pq_store_end_call(store);
}

PQ_API int pmuq_store_begin(struct pmuq_store *store, struct pmuq_error **reterr)
{
	return pq_store_begin_batch(store, "cannot write", reterr);
}

PQ_API void pmuq_store_roll_back(struct pmuq_store *store)
{
	if (store->is_in_batch)
		store->engine->roll_back(store);
	store->is_in_batch = false;
}

int pq_store_commit_batch(struct pmuq_store *store, const char *doing, struct pmuq_error **reterr)
{
	if (!store->is_in_batch)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "no transaction is open");
	if (store->has_failed) {
		pmuq_store_roll_back(store);
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a machine could not be saved");
	}
	pq_store_begin_call(store, doing, reterr);
	commit(store);
	pmuq_store_roll_back(store);
	return pq_store_end_call(store);
}

PQ_API int pmuq_store_commit(struct pmuq_store *store, struct pmuq_error **reterr)
{
	return pq_store_commit_batch(store, "cannot save the machines", reterr);
}

/* One attempt. False if a writer disturbed it, or the connection was lost before it: its result is
 * not used, and its error is dropped. */
static bool try_read(struct pmuq_store *store, unsigned attempt, const char *doing, pq_work *run,
		     void *arg, struct pmuq_error **reterr)
{
	struct pmuq_error *error = NULL;
	bool is_sound;

	pq_store_begin_call(store, doing, &error);
	connect_again(store, attempt);
	store->doing = doing;
	if (store->r == 0 && run)
		pq_store_transact(store, PQ_TRANSACTION_READ, run, arg);
	is_sound = store->engine->is_sound(store);
	if (is_sound && store->r < 0 && reterr)
		*reterr = move(error);
	pmuq_error_free(error);
	return is_sound;
}

int pq_store_read(struct pmuq_store *store, const char *doing, pq_work *run, void *arg,
		  struct pmuq_error **reterr)
{
	for (unsigned i = 0; !store->is_in_batch && i < READ_TRIES; i++)
		if (try_read(store, i, doing, run, arg, reterr))
			return pq_store_end_call(store);
	pq_store_begin_call(store, doing, reterr);
	/* The batch sees what it has written. */
	if (store->is_in_batch)
		run(store, arg);
	else
		pq_store_fail_busy(store, "other processes write all the time");
	return pq_store_end_call(store);
}
