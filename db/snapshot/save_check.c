/* SPDX-License-Identifier: MIT */
/*
 * The check of a snapshot into the store. A check is not part of the hash of its snapshot: a scan
 * without a check keeps the one that the machine has.
 */
#include "db/snapshot/snapshot.h"

/* Whether the snapshot has a check that was not interrupted. */
static const struct pq_sql has_whole_check = {
	.text = "SELECT 1 FROM snapshot_check WHERE snapshot = ? AND total = (SELECT count(*)"
		" FROM checked_event WHERE checked_event.check_set = snapshot_check.check_set)",
	PQ_ONE_NUMBER,
};

static const struct pq_sql find_check_set = {
	.text = "SELECT check_set FROM snapshot_check WHERE snapshot = ?",
	PQ_ONE_NUMBER,
};

static const struct pq_sql set_check = {
	.text = "INSERT OR REPLACE INTO snapshot_check (snapshot, check_set, checked, total)"
		" VALUES (?, ?, ?, ?)",
};

/* Machines that are checked every hour would fill the store with results that none refers to. */
static const struct pq_sql drop_if_unused = {
	.text = "DELETE FROM check_set WHERE id = ?1"
		" AND NOT EXISTS (SELECT 1 FROM snapshot_check WHERE check_set = ?1)",
};

bool pq_snapshot_save_check(struct pmuq_store *store, const struct pq_snapshot *snapshot,
			    const struct pmuq_check *check, int64_t id)
{
	struct pq_content *set = snapshot->check_set;
	const struct pmuq_progress *progress = pmuq_check_progress(check);
	int64_t is_whole = 0, old_set = 0;

	pq_sql_row(store, &has_whole_check, PQ_PARAMS(pq_param_number(id)), &is_whole, NULL);
	if (is_whole && progress->n_results < progress->n_events)
		return false;
	pq_sql_row(store, &find_check_set, PQ_PARAMS(pq_param_number(id)), &old_set, NULL);
	pq_content_save(store, set);
	pq_sql_run(store, &set_check,
		   PQ_PARAMS(pq_param_number(id), pq_param_number(set->id),
			     pq_param_number(progress->time_s),
			     pq_param_number((int64_t)progress->n_events)));
	pq_sql_run(store, &drop_if_unused, PQ_PARAMS(pq_param_number(old_set)));
	return true;
}
