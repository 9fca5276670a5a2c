/* SPDX-License-Identifier: MIT */
/* Loads the metrics of one CPU, folder by folder. */
#include "core/limits.h"
#include "core/vec.h"
#include "core/vendor/metric_table.h"
#include "vendor/load/metric_folders.h"
#include "vendor/load/vendor_origin.h"
#include "vendor/vendor_sets.h"
#include <stdlib.h>

struct metric_loading {
	struct pmuq_str cpuid;
	struct pmuq_metrics *metrics;
};

static const struct pq_column metric_columns[] = {
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

struct metric_list {
	PQ_VEC(struct pq_metric);
};

/* In the order of their rows, so that nothing has to be sorted. */
static void load_folder(struct pmuq_store *store, const struct pq_metric_folder *folder,
			struct metric_list *list, struct pq_arena *arena)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_metric row = { .table = folder->table,
				 .record.folder = folder->folder,
				 .record.import = folder->import };
	struct pq_vendor_table_file file;
	struct pq_vendor_origin origin;

	pq_vendor_load_origin(store, folder->vendor_set, folder->folder, folder->version, arena,
			      &origin);
	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(metric_columns,
			       "FROM vendor_metric JOIN vendor_text ON vendor_text.id = vendor_text"
			       " WHERE vendor_set = ? ORDER BY position"),
		      PQ_PARAMS(folder->vendor_set));
	while (pq_stmt_next(&stmt, &row, arena)) {
		file = pq_vendor_origin_file(store, &origin, row.file);
		row.record.file = file.path;
		row.record.version = file.version;
		if (!pq_vec_push_in(arena, list, row))
			pq_store_fail_memory(store);
	}
}

static void load_metrics(struct pmuq_store *store, struct metric_loading *loading)
{
	struct pmuq_metrics *metrics = loading->metrics;
	struct metric_list loaded = { 0 };
	struct pq_metric_folders folders;

	pq_metric_find_folders(store, loading->cpuid, &metrics->arena, &folders);
	for (size_t i = 0; i < folders.n; i++)
		load_folder(store, &folders.v[i], &loaded, &metrics->arena);
	metrics->v = loaded.v;
	metrics->n = loaded.n;
	metrics->cpuid = pq_arena_str(&metrics->arena, loading->cpuid);
	if (store->r == 0 && (!metrics->cpuid.p || !pq_metrics_finish(metrics)))
		pq_store_fail_memory(store);
}

static void load_within(struct pmuq_store *store, void *arg)
{
	struct metric_loading *loading = arg;

	pmuq_metrics_free(move(loading->metrics));
	loading->metrics = calloc(1, sizeof(*loading->metrics));
	if (!loading->metrics) {
		pq_store_fail_memory(store);
		return;
	}
	loading->metrics->arena = PQ_ARENA(PQ_METRICS_MAX_BYTES);
	load_metrics(store, loading);
}

PQ_API int pmuq_store_open_metrics(struct pmuq_store *store, const char *cpuid,
				   struct pmuq_metrics **ret, struct pmuq_error **reterr)
{
	struct metric_loading loading = { .cpuid = str_of(cpuid ? cpuid : "") };
	int r = pq_store_read(store, "cannot read the metrics", load_within, &loading, reterr);

	if (r == 0)
		*ret = loading.metrics;
	else
		pmuq_metrics_free(loading.metrics);
	return r;
}
