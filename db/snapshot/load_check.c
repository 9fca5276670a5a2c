/* SPDX-License-Identifier: MIT */
/*
 * Reads the check of a snapshot from the store: with its machine (load.c), without it, or that of
 * an equal machine under any name. Equal means the same hash, which covers the kernel and all PMUs:
 * a result of the kernel is never used for another machine.
 */
#include "core/catalog/check.h"
#include "db/snapshot/snapshot.h"

static const struct pq_column check_columns[] = {
	{ PQ_COLUMN(struct pq_stored_check, check_set) },
	{ PQ_COLUMN(struct pq_stored_check, checked) },
	{ PQ_COLUMN(struct pq_stored_check, total) },
	{ PQ_COLUMN_AS(struct pq_stored_check, kernel,
		       "(SELECT text FROM fact JOIN snapshot USING (fact_set)"
		       " WHERE snapshot.id = snapshot AND name = 'kernel')"),
	  .is_nullable = true },
};

static void fill(struct pq_contents *contents, struct pq_rows rows, struct pmuq_check *check)
{
	struct pmuq_store *store = contents->store;
	struct pmuq_check_result *v = pq_arena_array(&contents->arena, rows.n, sizeof(*v));
	const struct pq_checked_event *row = rows.v;

	if (!v)
		pq_store_fail_memory(store);
	for (size_t i = 0; v && i < rows.n; i++)
		v[i] = (struct pmuq_check_result){ .pmu = row[i].pmu,
						   .event = row[i].event,
						   .is_generic = row[i].is_generic,
						   .open = row[i].open_result.content->own };
	if (store->r == 0)
		store->r = pq_check_fill(check, v, rows.n, store->reterr);
}

bool pq_snapshot_find_check(struct pq_contents *contents, int64_t snapshot,
			    struct pq_stored_check *ret)
{
	struct pmuq_store *store = contents->store;

	if (!pq_sql_row(store, PQ_QUERY(check_columns, "FROM snapshot_check WHERE snapshot = ?"),
			PQ_PARAMS(snapshot), ret, &contents->arena))
		return false;
	pq_store_check_time(store, ret->checked);
	ret->hash = pq_set_hash(store, &pq_check_set, ret->check_set.id);
	return store->r == 0;
}

struct pmuq_check *pq_snapshot_read_check(struct pq_contents *contents,
					  const struct pq_stored_check *stored)
{
	struct pmuq_store *store = contents->store;
	struct pq_content *content = pq_content_load(contents, &pq_check_set, stored->check_set.id);
	struct pmuq_check *check = NULL;

	if (store->r == 0)
		store->r = pq_check_new(stored->kernel, stored->checked, &check, store->reterr);
	if (store->r == 0)
		fill(contents, content->rows[0], check);
	if (store->r == 0 && stored->total > 0)
		pq_check_set_total(check, (size_t)stored->total);
	return check;
}

/* ---- API */

/* The requested check: of the machine with that hash, or (NULL) of a host's snapshot. */
struct check_request {
	const struct pq_hash *machine;
	struct pmuq_str host;
	int64_t snapshot;	  /* 0: the newest */
	struct pmuq_check *check; /* or NULL */
};

/* 0 if no snapshot of that machine has a check. */
static int64_t find_checked(struct pmuq_store *store, const struct pq_hash *machine)
{
	int64_t id = 0;

	pq_sql_number(store,
		      "SELECT id FROM snapshot_check JOIN snapshot ON snapshot.id = snapshot"
		      " WHERE hash = ? ORDER BY id DESC LIMIT 1",
		      PQ_PARAMS(machine), &id);
	return id;
}

static void read_within(struct pmuq_store *store, void *arg)
{
	struct check_request *request = arg;
	struct pq_stored_check stored = { 0 };
	struct pq_contents contents;
	int64_t id = request->machine
			     ? find_checked(store, request->machine)
			     : pq_store_find_snapshot(store, request->host, request->snapshot);

	pmuq_check_free(move(request->check));
	pq_contents_begin(&contents, store);
	if (pq_snapshot_find_check(&contents, id, &stored))
		request->check = pq_snapshot_read_check(&contents, &stored);
	pq_contents_end(&contents);
}

static int read_check(struct pmuq_store *store, struct check_request *request,
		      struct pmuq_check **ret, struct pmuq_error **reterr)
{
	int r = pq_store_read(store, "cannot read the check", read_within, request, reterr);

	if (r == 0)
		*ret = request->check;
	else
		pmuq_check_free(request->check);
	return r;
}

PQ_API int pmuq_store_find_check(struct pmuq_store *store, const struct pmuq_catalog *catalog,
				 struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct pq_snapshot snapshot;
	struct check_request request = { .machine = &snapshot.row.hash };
	int r = pq_snapshot_make(catalog, NULL, &snapshot, reterr);

	pq_snapshot_free(&snapshot);
	return r < 0 ? r : read_check(store, &request, ret, reterr);
}

PQ_API int pmuq_store_read_check(struct pmuq_store *store, const char *name, int64_t snapshot,
				 struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct check_request request = { .host = str_of(name ? name : ""), .snapshot = snapshot };

	return read_check(store, &request, ret, reterr);
}
