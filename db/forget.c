/* SPDX-License-Identifier: MIT */
/*
 * Snapshots out of the store, and then whatever no other one shares: all in one transaction. The
 * room becomes free for what comes next; the file does not shrink.
 */
#include "core/sized.h"
#include "db/statement.h"

struct forgetting {
	const char *const *names;
	const int64_t *snapshots; /* for each name; NULL, or 0: all */
	size_t n;
	struct pmuq_forget_options options;
	struct pmuq_forgotten forgotten;
};

static int count_rows(struct pmuq_store *store, const char *sql, size_t *ret,
		      struct pmuq_error **reterr)
{
	int64_t n = 0;
	int r = pq_store_pragma(store, sql, &n, reterr);

	*ret = (size_t)n;
	return r;
}

#define COUNT_SNAPSHOTS "SELECT count(*) FROM snapshot"
#define COUNT_HOSTS "SELECT count(*) FROM host"
#define COUNT_LAYOUTS "SELECT count(*) FROM layout"
#define COUNT_KINDS "SELECT count(*) FROM kind"
/* What is free already is not what was freed now. */
#define COUNT_FREE_BYTES                                                                           \
	"SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size"

static int count_all(struct pmuq_store *store, struct pmuq_forgotten *ret,
		     struct pmuq_error **reterr)
{
	int r = count_rows(store, COUNT_SNAPSHOTS, &ret->snapshots, reterr);

	if (r == 0)
		r = count_rows(store, COUNT_HOSTS, &ret->hosts, reterr);
	if (r == 0)
		r = count_rows(store, COUNT_LAYOUTS, &ret->layouts, reterr);
	if (r == 0)
		r = count_rows(store, COUNT_KINDS, &ret->host_classes, reterr);
	if (r == 0)
		r = count_rows(store, COUNT_FREE_BYTES, &ret->free_bytes, reterr);
	return r;
}

/* host 0: all hosts; snapshot 0: all of them. */
static int drop_snapshots(struct pmuq_store *store, const struct pmuq_forget_options *options,
			  int64_t host, int64_t snapshot, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_DROP_SNAPSHOTS, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, host);
	pq_bind_int(&stmt, snapshot);
	pq_bind_int(&stmt, options->before_s);
	pq_bind_int(&stmt, options->keep < INT64_MAX ? (int64_t)options->keep : INT64_MAX);
	return pq_stmt_run(&stmt, reterr);
}

/* PQ_NONE: the host has no snapshot of that number. */
static int find_snapshot(struct pmuq_store *store, int64_t host, int64_t snapshot,
			 struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_FIND_SNAPSHOT, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, host);
	pq_bind_int(&stmt, snapshot);
	return pq_stmt_step(&stmt, reterr);
}

static int drop_one(struct pmuq_store *store, const struct forgetting *forgetting, size_t index,
		    struct pmuq_error **reterr)
{
	struct pmuq_str name = str_of(forgetting->names[index]);
	int64_t snapshot = forgetting->snapshots ? forgetting->snapshots[index] : 0;
	int64_t host = 0;
	int r = pq_store_find_host(store, name, &host, reterr);

	if (r == PQ_NONE)
		return pq_store_fail_unknown_host(store, name, reterr);
	if (r == 0 && snapshot)
		r = find_snapshot(store, host, snapshot, reterr);
	if (r == PQ_NONE)
		return pq_store_fail_unknown_snapshot(store, name, host, snapshot, reterr);
	return r < 0 ? r : drop_snapshots(store, &forgetting->options, host, snapshot, reterr);
}

/* In this order: what points to others goes before them. */
static int drop_unshared(struct pmuq_store *store, struct pmuq_error **reterr)
{
	static const enum pq_sql steps[] = {
		PQ_SQL_DROP_HOSTS,	 PQ_SQL_NAME_HOSTS,	  PQ_SQL_DROP_KINDS,
		PQ_SQL_DROP_LAYOUTS,	 PQ_SQL_DROP_DEFINITIONS, PQ_SQL_DROP_ATTRIBUTES,
		PQ_SQL_DROP_FACTS,	 PQ_SQL_DROP_TRACEPOINTS, PQ_SQL_DROP_PROBLEMS,
		PQ_SQL_DROP_ALL_ANSWERS, PQ_SQL_DROP_REPLIES,
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < COUNT(steps); i++)
		r = pq_store_run(store, steps[i], reterr);
	return r;
}

static size_t less(size_t before, size_t after)
{
	return before > after ? before - after : 0;
}

static int forget_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct forgetting *forgetting = arg;
	struct pmuq_forgotten before = { 0 }, after = { 0 };
	int r = count_all(store, &before, reterr);

	for (size_t i = 0; r == 0 && i < forgetting->n; i++)
		r = drop_one(store, forgetting, i, reterr);
	if (r == 0 && !forgetting->n)
		r = drop_snapshots(store, &forgetting->options, 0, 0, reterr);
	if (r == 0)
		r = drop_unshared(store, reterr);
	if (r == 0)
		r = count_all(store, &after, reterr);
	if (r < 0)
		return r;
	forgetting->forgotten = (struct pmuq_forgotten){
		.hosts = less(before.hosts, after.hosts),
		.snapshots = less(before.snapshots, after.snapshots),
		.layouts = less(before.layouts, after.layouts),
		.host_classes = less(before.host_classes, after.host_classes),
		.free_bytes = less(after.free_bytes, before.free_bytes),
	};
	/* What is not committed is rolled back. */
	return forgetting->options.is_trial ? PQ_NONE : 0;
}

static int check_call(const struct pmuq_store *store, const struct forgetting *forgetting,
		      const struct pmuq_forgotten *ret, struct pmuq_error **reterr)
{
	int r = ret ? pq_sized_check(ret, reterr) : 0;

	if (r < 0)
		return r;
	if (!forgetting->n && !forgetting->options.before_s && !forgetting->options.keep)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "nothing says what is to be forgotten");
	if (store->is_in_batch)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a transaction has begun");
	if (store->mode != PMUQ_STORE_READ)
		return 0;
	r = pq_fail(reterr, PMUQ_E_STORE_WRITE, "the database was opened for reading only");
	pq_error_origin(reterr, str_of(store->path));
	return r;
}

PQ_API int pmuq_store_forget(struct pmuq_store *store, const char *const *names,
			     const int64_t *snapshots, size_t n,
			     const struct pmuq_forget_options *options, struct pmuq_forgotten *ret,
			     struct pmuq_error **reterr)
{
	struct forgetting forgetting = { .names = names, .snapshots = snapshots, .n = n };
	const struct pq_work work = { .run = forget_within, .arg = &forgetting };
	int r = pq_sized_take(options, &forgetting.options, sizeof(forgetting.options), reterr);

	if (r == 0)
		r = check_call(store, &forgetting, ret, reterr);
	if (r < 0)
		return r;
	store->doing = "cannot forget";
	r = pq_store_write(store, &work, reterr);
	if (r < 0)
		return r;
	if (ret)
		pq_sized_give(&forgetting.forgotten, sizeof(forgetting.forgotten), ret);
	return 0;
}
