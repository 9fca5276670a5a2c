/* SPDX-License-Identifier: MIT */
/*
 * Loads the metrics of one CPU, folder by folder: first what names select them by, then the metrics
 * themselves. Those of a lazy table are read when they are needed: a plan needs few of hundreds.
 */
#include "core/limits.h"
#include "core/vec.h"
#include "core/vendor/metric_table.h"
#include "vendor/load/metric_folders.h"
#include "vendor/load/vendor_origin.h"
#include "vendor/vendor_sets.h"
#include <stdlib.h>

/* Who needs more metrics than these needs most of a folder. */
#define READ_ALONE_MAX 24

/* Where a table is read from. */
struct stored_metrics {
	struct pmuq_store *store;
	struct pmuq_metrics *metrics;
	struct pq_metric_folders folders;
	struct pq_vendor_origin *origins; /* of each folder; without files: not read yet */
	size_t n_read_alone;
};

static const struct pq_column key_columns[] = {
	{ PQ_COLUMN(struct pq_metric_key, position) },
	{ PQ_COLUMN(struct pq_metric_key, name) },
	{ PQ_COLUMN(struct pq_metric_key, pmu) },
	{ PQ_COLUMN(struct pq_metric_key, groups) },
};

static const struct pq_column metric_columns[] = {
	{ PQ_COLUMN(struct pq_metric, position) },
	{ PQ_COLUMN_AS(struct pq_metric, record.name, "name") },
	{ PQ_COLUMN_AS(struct pq_metric, record.pmu, "pmu") },
	{ PQ_COLUMN_AS(struct pq_metric, record.groups, "groups") },
	{ PQ_COLUMN_AS(struct pq_metric, record.formula, "expression") },
	{ PQ_COLUMN_AS(struct pq_metric, record.threshold, "threshold") },
	{ PQ_COLUMN_AS(struct pq_metric, scale_unit, "scale_unit") },
	{ PQ_COLUMN_AS(struct pq_metric, record.topic, "topic") },
	{ PQ_COLUMN_AS(struct pq_metric, record.description, "description") },
	{ PQ_COLUMN_AS(struct pq_metric, record.long_description, "long_description") },
	{ PQ_COLUMN_AS(struct pq_metric, record.constraint, "grouping") },
	{ PQ_COLUMN_AS(struct pq_metric, record.no_group, "no_group") },
	{ PQ_COLUMN_AS(struct pq_metric, record.default_group, "default_group") },
	{ PQ_COLUMN_AS(struct pq_metric, record.aggregation, "aggregation") },
	{ PQ_COLUMN_AS(struct pq_metric, record.shows_events, "shows_events") },
	{ PQ_COLUMN_AS(struct pq_metric, record.compat, "compat") },
	{ PQ_COLUMN(struct pq_metric, file) },
};

/* ---- keys */

struct key_list {
	PQ_VEC(struct pq_metric_key);
};

/* In the order of their rows, so that nothing has to be sorted. */
static void load_keys(struct pmuq_store *store, const struct stored_metrics *stored, size_t folder,
		      struct key_list *list)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_arena *arena = &stored->metrics->arena;
	struct pq_metric_key key = { .table = stored->folders.v[folder].table, .folder = folder };

	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(key_columns,
			       "FROM vendor_metric JOIN vendor_text ON vendor_text.id = vendor_text"
			       " WHERE vendor_set = ? ORDER BY position"),
		      PQ_PARAMS(stored->folders.v[folder].vendor_set));
	while (pq_stmt_next(&stmt, &key, arena))
		if (!pq_vec_push_in(arena, list, key))
			pq_store_fail_memory(store);
}

/* ---- metrics */

static struct pq_vendor_table_file file_of(struct pmuq_store *store, struct stored_metrics *stored,
					   size_t folder, int64_t index)
{
	const struct pq_metric_folder *of = &stored->folders.v[folder];
	struct pq_vendor_origin *origin = &stored->origins[folder];

	if (!origin->files)
		pq_vendor_load_origin(store, of->vendor_set, of->folder, of->version,
				      &stored->metrics->arena, origin);
	return pq_vendor_origin_file(store, origin, index);
}

/* Makes the row the metric of its key. */
static void keep(struct pmuq_store *store, struct stored_metrics *stored, struct pq_metric row,
		 struct pq_metric_key *key)
{
	const struct pq_metric_folder *folder = &stored->folders.v[key->folder];
	struct pq_vendor_table_file file = file_of(store, stored, key->folder, row.file);
	struct pq_arena *arena = &stored->metrics->arena;
	struct pq_metric *metric = pq_arena_take(arena, sizeof(*metric));

	if (!metric) {
		pq_store_fail_memory(store);
		return;
	}
	row.key = key;
	row.record.folder = folder->folder;
	row.record.import = folder->import;
	row.record.file = file.path;
	row.record.version = file.version;
	*metric = row;
	if (!pq_metric_finish(arena, metric))
		pq_store_fail_memory(store);
	else
		key->metric = metric;
}

/* The metrics of n keys of one folder. */
static void load_metrics(struct pmuq_store *store, struct stored_metrics *stored, size_t first,
			 size_t n)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_metric_key *key = &stored->metrics->v[first], *end = key + n;
	const int64_t set = stored->folders.v[key->folder].vendor_set;
	struct pq_metric row = { 0 };

	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(metric_columns,
			       "FROM vendor_metric JOIN vendor_text ON vendor_text.id = vendor_text"
			       " WHERE vendor_set = ? AND position BETWEEN ? AND ?"
			       " ORDER BY position"),
		      PQ_PARAMS(set, key->position, end[-1].position));
	for (; key < end && pq_stmt_next(&stmt, &row, &stored->metrics->arena); key++) {
		if (row.position != key->position || !str_eq(row.record.name, key->name))
			break;
		if (!key->metric)
			keep(store, stored, row, key);
	}
	if (store->r == 0 && key < end)
		pq_store_fail_busy(store, "its tables were replaced since they were opened");
}

/* The keys of the folder of the key at `index`. */
static size_t count_folder(const struct pmuq_metrics *metrics, size_t index, size_t *ret_first)
{
	size_t first = index, end = index;

	while (first > 0 && metrics->v[first - 1].folder == metrics->v[index].folder)
		first--;
	while (end < metrics->n && metrics->v[end].folder == metrics->v[index].folder)
		end++;
	*ret_first = first;
	return end - first;
}

static void load_all(struct pmuq_store *store, struct stored_metrics *stored)
{
	size_t first, n;

	for (size_t i = 0; store->r == 0 && i < stored->metrics->n; i += n) {
		n = count_folder(stored->metrics, i, &first);
		load_metrics(store, stored, first, n);
	}
}

/* ---- a lazy table */

struct metric_request {
	struct stored_metrics *stored;
	size_t first, n;
};

static void read_within(struct pmuq_store *store, void *arg)
{
	const struct metric_request *request = arg;

	load_metrics(store, request->stored, request->first, request->n);
}

static int read_metric(void *arg, size_t index, struct pmuq_error **reterr)
{
	struct stored_metrics *stored = arg;
	struct metric_request request = { .stored = stored, .first = index, .n = 1 };

	if (++stored->n_read_alone > READ_ALONE_MAX)
		request.n = count_folder(stored->metrics, index, &request.first);
	return pq_store_read(stored->store, "cannot read the metrics", read_within, &request,
			     reterr);
}

/* ---- tables */

struct metrics_opening {
	struct pmuq_str cpuid;
	bool is_lazy;
	struct pmuq_metrics *metrics;
};

static void load_table(struct pmuq_store *store, struct stored_metrics *stored,
		       struct pmuq_str cpuid)
{
	struct pmuq_metrics *metrics = stored->metrics;
	struct key_list keys = { 0 };

	pq_metric_find_folders(store, cpuid, &metrics->arena, &stored->folders);
	stored->origins =
		pq_arena_array(&metrics->arena, stored->folders.n, sizeof(*stored->origins));
	metrics->cpuid = pq_arena_str(&metrics->arena, cpuid);
	if (!stored->origins || !metrics->cpuid.p)
		pq_store_fail_memory(store);
	for (size_t i = 0; store->r == 0 && i < stored->folders.n; i++)
		load_keys(store, stored, i, &keys);
	metrics->v = keys.v;
	metrics->n = keys.n;
	if (store->r == 0 && !pq_metrics_finish(metrics))
		pq_store_fail_memory(store);
}

static void open_within(struct pmuq_store *store, void *arg)
{
	struct metrics_opening *opening = arg;
	struct stored_metrics *stored;

	pmuq_metrics_free(move(opening->metrics));
	opening->metrics = calloc(1, sizeof(*opening->metrics));
	if (!opening->metrics) {
		pq_store_fail_memory(store);
		return;
	}
	opening->metrics->arena = PQ_ARENA(PQ_METRICS_MAX_BYTES);
	stored = pq_arena_zero(&opening->metrics->arena, sizeof(*stored));
	if (!stored) {
		pq_store_fail_memory(store);
		return;
	}
	*stored = (struct stored_metrics){ .store = store, .metrics = opening->metrics };
	load_table(store, stored, opening->cpuid);
	if (!opening->is_lazy)
		load_all(store, stored);
	else
		opening->metrics->reader =
			(struct pq_metric_reader){ .read = read_metric, .arg = stored };
}

static int open_metrics(struct pmuq_store *store, const char *cpuid, bool is_lazy,
			struct pmuq_metrics **ret, struct pmuq_error **reterr)
{
	struct metrics_opening opening = { .cpuid = str_of(cpuid ? cpuid : ""),
					   .is_lazy = is_lazy };
	int r = pq_store_read(store, "cannot read the metrics", open_within, &opening, reterr);

	if (r == 0)
		*ret = opening.metrics;
	else
		pmuq_metrics_free(opening.metrics);
	return r;
}

PQ_API int pmuq_store_open_metrics(struct pmuq_store *store, const char *cpuid,
				   struct pmuq_metrics **ret, struct pmuq_error **reterr)
{
	return open_metrics(store, cpuid, false, ret, reterr);
}

PQ_API int pmuq_store_open_lazy_metrics(struct pmuq_store *store, const char *cpuid,
					struct pmuq_metrics **ret, struct pmuq_error **reterr)
{
	return open_metrics(store, cpuid, true, ret, reterr);
}
