/* SPDX-License-Identifier: MIT */
/* A check into the store: replies and sets of answers that others may share, and who has them. */
#include "db/save.h"

static int add_reply(struct pmuq_store *store, const struct pmuq_open_result *reply,
		     const struct pq_hash *hash, int64_t *ret_id, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_REPLY, reterr);

	if (r < 0)
		return r;
	pq_bind_hash(&stmt, hash);
	pq_bind_int(&stmt, reply->status);
	pq_bind_int(&stmt, reply->errnum);
	pq_bind_str(&stmt, reply->cpus);
	pq_bind_str(&stmt, reply->name);
	pq_bind_str(&stmt, reply->reason);
	pq_bind_str(&stmt, reply->hint);
	pq_bind_str(&stmt, reply->change);
	r = pq_stmt_run(&stmt, reterr);
	if (r == 0)
		*ret_id = store->lib.last_insert_rowid(store->db);
	return r;
}

static int save_reply(struct pmuq_store *store, struct pq_shared *shared,
		      struct pmuq_error **reterr)
{
	int r;

	if (shared->id)
		return 0;
	r = pq_save_find(store, PQ_SQL_FIND_REPLY, &shared->hash, &shared->id, reterr);
	if (r != PQ_NONE)
		return r;
	return add_reply(store, shared->address, &shared->hash, &shared->id, reterr);
}

static int fill_answers(struct pmuq_store *store, int64_t set, const struct pmuq_check *check,
			const struct pq_measured *measured, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_ANSWER, reterr);

	for (size_t i = 0; r == 0 && i < pmuq_check_progress(check)->n_results; i++) {
		const struct pmuq_check_result *answer = pmuq_check_get(check, i);

		r = save_reply(store, measured->replies[i], reterr);
		if (r < 0)
			return r;
		pq_bind_int(&stmt, set);
		pq_bind_int(&stmt, (int64_t)i);
		pq_bind_str(&stmt, answer->pmu);
		pq_bind_str(&stmt, answer->event);
		pq_bind_int(&stmt, answer->is_generic);
		pq_bind_int(&stmt, measured->replies[i]->id);
		r = pq_stmt_run(&stmt, reterr);
	}
	return r;
}

/* A number that the snapshot has; 0 when it has none. */
static int ask_snapshot(struct pmuq_store *store, enum pq_sql which, int64_t snapshot, int64_t *ret,
			struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, which, reterr);

	*ret = 0;
	if (r < 0)
		return r;
	pq_bind_int(&stmt, snapshot);
	r = pq_stmt_step(&stmt, reterr);
	if (r != 0)
		return r < 0 ? r : 0;
	*ret = pq_column_int(&stmt, 0);
	return pq_stmt_check(&stmt, reterr);
}

static int set_check(struct pmuq_store *store, const struct pmuq_check *check, int64_t snapshot,
		     int64_t set, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_SET_CHECK, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, snapshot);
	pq_bind_int(&stmt, set);
	pq_bind_int(&stmt, pmuq_check_progress(check)->time_s);
	pq_bind_int(&stmt, (int64_t)pmuq_check_progress(check)->n_events);
	return pq_stmt_run(&stmt, reterr);
}

/* Machines that are checked every hour would fill the store with answers that none has any more. */
static int drop_unused(struct pmuq_store *store, int64_t set, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_DROP_ANSWERS, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, set);
	return pq_stmt_run(&stmt, reterr);
}

int pq_save_check(struct pmuq_store *store, const struct pmuq_check *check,
		  const struct pq_measured *measured, int64_t snapshot, bool *ret_has_old,
		  struct pmuq_error **reterr)
{
	int64_t is_whole = 0, before = 0, set = 0;
	int r = ask_snapshot(store, PQ_SQL_HAS_WHOLE_CHECK, snapshot, &is_whole, reterr);

	if (r < 0)
		return r;
	*ret_has_old = is_whole &&
		       pmuq_check_progress(check)->n_results < pmuq_check_progress(check)->n_events;
	if (*ret_has_old)
		return 0;
	r = ask_snapshot(store, PQ_SQL_CHECKED_ANSWERS, snapshot, &before, reterr);
	if (r == 0)
		r = pq_save_find_or_add(store, PQ_SQL_FIND_ANSWERS, PQ_SQL_ADD_ANSWERS,
					&measured->answers, &set, reterr);
	if (r == PQ_NONE)
		r = fill_answers(store, set, check, measured, reterr);
	if (r == 0)
		r = set_check(store, check, snapshot, set, reterr);
	return r < 0 ? r : drop_unused(store, before, reterr);
}
