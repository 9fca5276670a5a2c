/* SPDX-License-Identifier: MIT */
/*
 * The check of a snapshot out of the store: with its machine (load.c), without it, or of an equal
 * machine under any name. Equal means the same hash, which covers the kernel and all PMUs: a result
 * of the kernel is never carried over to another machine.
 */
#include "core/catalog/check.h"
#include "db/db.h"
#include "db/hosts/find.h"
#include "db/snapshot/snapshot.h"

struct stored_check {
	struct pq_ref check_set;
	int64_t checked, total;
};

static const struct pq_column check_columns[] = {
	{ PQ_COLUMN(struct stored_check, check_set) },
	{ PQ_COLUMN(struct stored_check, checked) },
	{ PQ_COLUMN(struct stored_check, total) },
};

static const struct pq_sql get_check = {
	.text = "FROM snapshot_check WHERE snapshot = ?",
	PQ_COLUMNS(check_columns),
};

static int add_events(struct pmuq_check *check, struct pq_rows rows, struct pmuq_error **reterr)
{
	const struct pq_checked_event *row = rows.v;
	int r = 0;

	for (size_t i = 0; r == 0 && i < rows.n; i++)
		r = pq_check_expect(check, row[i].pmu, row[i].event, row[i].is_generic, reterr);
	if (r == 0)
		r = pq_check_index(check, reterr);
	for (size_t i = 0; r == 0 && i < rows.n; i++)
		r = pq_check_add(check, row[i].open_result.content->own, reterr);
	return r;
}

int pq_snapshot_load_check(struct pq_contents *contents, int64_t snapshot, struct pmuq_str kernel,
			   struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct pmuq_check *check = NULL;
	struct stored_check stored;
	struct pq_content *content;
	int r = pq_sql_row(contents->store, &get_check, PQ_PARAMS(pq_param_number(snapshot)),
			   &stored, NULL, reterr);

	if (r == 0)
		r = pq_content_load(contents, &pq_check_set, stored.check_set.id, &content, reterr);
	if (r != 0)
		return r;
	r = pq_check_new(kernel, stored.checked, &check, reterr);
	if (r == 0)
		r = add_events(check, content->rows[0], reterr);
	if (r < 0) {
		pmuq_check_free(check);
		return r;
	}
	if (stored.total > 0)
		pq_check_set_total(check, (size_t)stored.total);
	*ret = check;
	return 0;
}

/* ---- API */

/* A check that is wanted: of the machine with that hash, or of a host's snapshot. */
struct check_request {
	struct pq_hash machine;
	struct pmuq_str kernel;
	struct pmuq_str host;
	int64_t snapshot;	  /* 0: the newest */
	struct pmuq_check *check; /* or NULL */
};

static void forget_check(void *arg)
{
	struct check_request *request = arg;

	pmuq_check_free(move(request->check));
}

static int read_check(struct pmuq_store *store, struct check_request *request,
		      int (*run)(struct pmuq_store *store, void *arg, struct pmuq_error **reterr),
		      struct pmuq_check **ret, struct pmuq_error **reterr)
{
	const struct pq_work work = { .run = run, .undo = forget_check, .arg = request };
	int r;

	store->doing = "cannot read the check";
	r = pq_store_read(store, &work, reterr);
	if (r == 0)
		*ret = request->check;
	return r;
}

static const struct pq_sql find_checked = {
	.text = "SELECT id FROM snapshot_check JOIN snapshot ON snapshot.id = snapshot"
		" WHERE hash = ? ORDER BY id DESC LIMIT 1",
	PQ_ONE_NUMBER,
};

static int find_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct check_request *request = arg;
	struct pq_contents contents;
	int64_t snapshot = 0;
	int r = pq_sql_row(store, &find_checked, PQ_PARAMS(pq_param_hash(&request->machine)),
			   &snapshot, NULL, reterr);

	if (r != 0)
		return r < 0 ? r : 0;
	pq_contents_begin(&contents, store);
	r = pq_snapshot_load_check(&contents, snapshot, request->kernel, &request->check, reterr);
	pq_contents_end(&contents);
	return r < 0 ? r : 0;
}

PQ_API int pmuq_store_find_check(struct pmuq_store *store, const struct pmuq_catalog *catalog,
				 struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct check_request request = { .kernel = str_of(
						 pmuq_catalog_find_fact(catalog, "kernel")) };
	struct pq_snapshot snapshot;
	int r = pq_snapshot_make(catalog, NULL, &snapshot, reterr);

	request.machine = snapshot.row.hash;
	pq_snapshot_free(&snapshot);
	return r < 0 ? r : read_check(store, &request, find_within, ret, reterr);
}

static const struct pq_sql get_kernel = {
	.text = "SELECT text FROM fact JOIN snapshot ON snapshot.fact_set = fact.fact_set"
		" WHERE snapshot.id = ? AND name = 'kernel'",
	PQ_ONE_TEXT,
};

static int read_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct check_request *request = arg;
	struct pq_contents contents;
	int64_t id = 0;
	int r = pq_store_find_snapshot(store, request->host, request->snapshot, &id, reterr);

	if (r < 0)
		return r;
	pq_contents_begin(&contents, store);
	request->kernel = (struct pmuq_str){ 0 };
	r = pq_sql_row(store, &get_kernel, PQ_PARAMS(pq_param_number(id)), &request->kernel,
		       &contents.arena, reterr);
	if (r >= 0)
		r = pq_snapshot_load_check(&contents, id, request->kernel, &request->check, reterr);
	pq_contents_end(&contents);
	return r < 0 ? r : 0;
}

PQ_API int pmuq_store_read_check(struct pmuq_store *store, const char *name, int64_t snapshot,
				 struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct check_request request = { .host = str_of(name ? name : ""), .snapshot = snapshot };

	return read_check(store, &request, read_within, ret, reterr);
}
