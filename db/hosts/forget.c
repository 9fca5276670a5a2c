/* SPDX-License-Identifier: MIT */
/*
 * Deletes snapshots, then all contents that no other snapshot shares, in one transaction. The bytes
 * become free for later snapshots; the file does not shrink.
 */
#include "core/sized.h"
#include "db/engine.h"
#include "db/snapshot/snapshot.h"

struct forgetting {
	const char *const *names;
	const int64_t *snapshots; /* for each name; NULL or 0: all */
	size_t n;
	struct pmuq_forget_options options;
	struct pmuq_forgotten forgotten;
};

struct store_counts {
	int64_t hosts, snapshots, layouts, classes;
	int64_t free_bytes; /* not a column: those free before must not be counted as freed */
};

static const struct pq_column count_columns[] = {
	{ PQ_COLUMN_AS(struct store_counts, hosts, "(SELECT count(*) FROM host)") },
	{ PQ_COLUMN_AS(struct store_counts, snapshots, "(SELECT count(*) FROM snapshot)") },
	{ PQ_COLUMN_AS(struct store_counts, layouts, "(SELECT count(*) FROM layout)") },
	{ PQ_COLUMN_AS(struct store_counts, classes, "(SELECT count(*) FROM host_class)") },
};

static struct store_counts count_all(struct pmuq_store *store)
{
	struct store_counts counts = { 0 };

	/* Its text must differ from that of other queries without a table: statement.h. */
	pq_sql_row(store, PQ_QUERY(count_columns, "FROM (SELECT 1) AS one"), PQ_NO_PARAMS, &counts,
		   NULL);
	if (store->r == 0)
		counts.free_bytes = store->engine->free_bytes(store);
	return counts;
}

/* The newest snapshot may be another one now. */
#define NEWEST_MACHINE_ID                                                                          \
	"(SELECT text FROM snapshot_fact WHERE name = 'machine_id' AND snapshot ="                 \
	" (SELECT max(id) FROM snapshot WHERE snapshot.host = host.id))"
/* 0 for the host or the snapshot, or for an option, means all. */
static void drop(struct pmuq_store *store, const struct pmuq_forget_options *options, int64_t host,
		 int64_t snapshot)
{
	int64_t keep = options->keep < INT64_MAX ? (int64_t)options->keep : INT64_MAX;

	pq_sql_run(store,
		   "DELETE FROM snapshot WHERE (?1 = 0 OR host = ?1) AND (?2 = 0 OR id = ?2)"
		   " AND (?3 = 0 OR last_seen < ?3) AND (?4 = 0 OR (SELECT count(*) FROM snapshot"
		   " AS later WHERE later.host = snapshot.host AND later.id > snapshot.id) >= ?4)",
		   PQ_PARAMS(host, snapshot, options->before_s, keep));
}

static void drop_one(struct pmuq_store *store, const struct forgetting *forgetting, size_t index)
{
	struct pmuq_str name = str_of(forgetting->names[index]);
	int64_t snapshot = forgetting->snapshots ? forgetting->snapshots[index] : 0;
	int64_t host = pq_store_need_host(store, name);

	if (snapshot)
		pq_store_find_snapshot(store, name, snapshot); /* or fail */
	drop(store, &forgetting->options, host, snapshot);
}

/* A set comes after the sets that refer to it. */
static void drop_unshared(struct pmuq_store *store)
{
	static const struct pq_set *const sets[] = {
		&pq_host_class_set, &pq_layout_set, &pq_definition_set,
		&pq_attribute_set,  &pq_fact_set,   &pq_tracepoint_set,
		&pq_problem_set,    &pq_check_set,  &pq_open_result_set,
	};

	pq_sql_run(store, "DELETE FROM host WHERE id NOT IN (SELECT host FROM snapshot)",
		   PQ_NO_PARAMS);
	pq_sql_run(store,
		   "UPDATE host SET machine_id = " NEWEST_MACHINE_ID
		   " WHERE coalesce(machine_id, '') <> coalesce(" NEWEST_MACHINE_ID ", '')",
		   PQ_NO_PARAMS);
	for (size_t i = 0; i < COUNT(sets); i++)
		pq_set_drop_unused(store, sets[i]);
}

static size_t decrease(int64_t before, int64_t after)
{
	return before > after ? (size_t)(before - after) : 0;
}

/* A trial does the same and is rolled back, so its numbers are exact. */
static void forget_within(struct pmuq_store *store, void *arg)
{
	struct forgetting *forgetting = arg;
	struct store_counts before = count_all(store), after;

	for (size_t i = 0; store->r == 0 && i < forgetting->n; i++)
		drop_one(store, forgetting, i);
	if (!forgetting->n)
		drop(store, &forgetting->options, 0, 0);
	drop_unshared(store);
	after = count_all(store);
	forgetting->forgotten = (struct pmuq_forgotten){
		.hosts = decrease(before.hosts, after.hosts),
		.snapshots = decrease(before.snapshots, after.snapshots),
		.layouts = decrease(before.layouts, after.layouts),
		.host_classes = decrease(before.classes, after.classes),
		.free_bytes = decrease(after.free_bytes, before.free_bytes),
	};
	if (store->r == 0 && forgetting->options.is_trial)
		store->r = PQ_END;
}

static int check_call(const struct pmuq_store *store, const struct forgetting *forgetting,
		      const struct pmuq_forgotten *ret, struct pmuq_error **reterr)
{
	int r = ret ? pq_sized_check(ret, reterr) : 0;

	if (r < 0)
		return r;
	if (!forgetting->n && !forgetting->options.before_s && !forgetting->options.keep)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "neither hosts nor a rule to select snapshots");
	if (store->is_in_batch)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a transaction is open");
	return 0;
}

PQ_API int pmuq_store_forget(struct pmuq_store *store, const char *const *names,
			     const int64_t *snapshots, size_t n,
			     const struct pmuq_forget_options *options, struct pmuq_forgotten *ret,
			     struct pmuq_error **reterr)
{
	struct forgetting forgetting = { .names = names, .snapshots = snapshots, .n = n };
	int r = pq_sized_take(options, &forgetting.options, sizeof(forgetting.options), reterr);

	if (r == 0)
		r = check_call(store, &forgetting, ret, reterr);
	if (r < 0)
		return r;
	r = pq_store_write(store, "cannot forget", forget_within, &forgetting, reterr);
	if (r < 0)
		return r;
	if (ret)
		pq_sized_give(&forgetting.forgotten, sizeof(forgetting.forgotten), ret);
	return 0; /* of a trial, too */
}
