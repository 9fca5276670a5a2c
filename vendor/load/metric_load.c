/* SPDX-License-Identifier: MIT */
/*
 * Loads the metrics of one CPU: from its folder, from the folder of all CPUs ("common", which has
 * no mapfile), and from those of the systems of its architecture.
 */
#include "core/limits.h"
#include "core/vec.h"
#include "core/vendor/metric_table.h"
#include "vendor/load/vendor_cpu.h"
#include "vendor/vendor_sets.h"
#include <stdlib.h>

struct metric_loading {
	struct pmuq_str cpuid;
	struct pmuq_metrics *metrics;
	struct pq_arena arena;
	struct pq_vendor_cpu cpu;
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
	{ PQ_COLUMN_AS(struct pq_metric, record.file, "file") },
};

/* A folder with metrics of the CPU. */
struct metric_folder {
	int64_t vendor_set;
	enum pq_metric_table table;
	struct pmuq_str folder;
};

static const struct pq_column folder_columns[] = {
	{ PQ_COLUMN(struct metric_folder, vendor_set) },
	{ PQ_COLUMN_AS(struct metric_folder, table,
		       "CASE WHEN arch = 'common' THEN 1 ELSE 2 * is_system END") },
	{ PQ_COLUMN_AS(struct metric_folder, folder, "arch || '/' || path") },
};

/* The newest import with a folder for all CPUs; 0 if there is none. */
static int64_t find_common(struct pmuq_store *store)
{
	int64_t vendor = 0;

	pq_sql_number(store,
		      "SELECT coalesce(max(vendor), 0) FROM vendor_folder WHERE arch = 'common'",
		      PQ_NO_PARAMS, &vendor);
	return vendor;
}

static void name_import(struct pmuq_store *store, int64_t vendor, struct pmuq_metrics *metrics,
			bool is_common)
{
	struct pmuq_str name = STR("");

	pq_sql_row(store, PQ_QUERY(pq_one_text, "SELECT name FROM vendor WHERE id = ?"),
		   PQ_PARAMS(vendor), &name, &metrics->arena);
	for (size_t i = 0; i < metrics->n; i++)
		if ((metrics->v[i].table == PQ_METRICS_OF_ALL) == is_common)
			metrics->v[i].record.import = name;
}

struct metric_list {
	PQ_VEC(struct pq_metric);
};

/* In the order of their rows, so that nothing has to be sorted. */
static void load_folder(struct pmuq_store *store, const struct metric_folder *folder,
			struct metric_list *list, struct pq_arena *arena)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_metric row = { .table = folder->table, .record.folder = folder->folder };

	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(metric_columns,
			       "FROM vendor_metric JOIN vendor_text ON vendor_text.id = vendor_text"
			       " WHERE vendor_set = ? ORDER BY position"),
		      PQ_PARAMS(folder->vendor_set));
	while (pq_stmt_next(&stmt, &row, arena))
		if (!pq_vec_push_in(arena, list, row))
			pq_store_fail_memory(store);
}

/* An unknown CPU has the metrics of all CPUs. */
static void load_metrics(struct pmuq_store *store, struct metric_loading *loading)
{
	struct pmuq_metrics *metrics = loading->metrics;
	struct pq_vendor_cpu *cpu = &loading->cpu;
	const struct metric_folder *folder;
	struct metric_list loaded = { 0 };
	struct pq_rows rows;
	int64_t common = find_common(store);

	if (!common)
		pq_vendor_need_cpu(store, loading->cpuid, &loading->arena, cpu);
	else if (!pq_vendor_find_cpu(store, loading->cpuid, &loading->arena, cpu))
		*cpu = (struct pq_vendor_cpu){ .arch = STR(""), .folder = STR("") };
	rows = pq_sql_rows(
		store,
		PQ_QUERY(folder_columns,
			 "FROM vendor_folder"
			 " WHERE vendor = ?1 AND arch = ?2 AND (is_system = 1 OR position = ?3)"
			 " OR vendor = ?4 AND arch = 'common'"
			 " ORDER BY 2, position"),
		PQ_PARAMS(cpu->vendor, cpu->arch, cpu->position, common), sizeof(*folder),
		&metrics->arena);
	folder = rows.v;
	for (size_t i = 0; i < rows.n; i++)
		load_folder(store, &folder[i], &loaded, &metrics->arena);
	metrics->v = loaded.v;
	metrics->n = loaded.n;
	name_import(store, cpu->vendor, metrics, false);
	name_import(store, common, metrics, true);
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
	loading->arena = PQ_ARENA(PQ_VENDOR_CPUS_MAX_BYTES);
	load_metrics(store, loading);
	pq_arena_clear(&loading->arena);
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
