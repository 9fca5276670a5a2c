/* SPDX-License-Identifier: MIT */
#include "vendor/load/metric_folders.h"
#include "core/limits.h"
#include "db/statement.h"
#include "vendor/load/vendor_cpu.h"

/* The version is that of the folder with the CPU's position. */
static const struct pq_column folder_columns[] = {
	{ PQ_COLUMN(struct pq_metric_folder, vendor_set) },
	{ PQ_COLUMN_AS(struct pq_metric_folder, table,
		       "CASE WHEN arch = 'common' THEN 1 ELSE 2 * is_system END") },
	{ PQ_COLUMN_AS(struct pq_metric_folder, folder, "arch || '/' || path") },
	{ PQ_COLUMN_AS(struct pq_metric_folder, import,
		       "(SELECT name FROM vendor WHERE id = vendor_folder.vendor)") },
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

/* An unknown CPU has the metrics of all CPUs. */
static void find_cpu(struct pmuq_store *store, struct pmuq_str cpuid, int64_t common,
		     struct pq_arena *arena, struct pq_vendor_cpu *ret)
{
	if (!common)
		pq_vendor_need_cpu(store, cpuid, arena, ret);
	else
		pq_vendor_find_cpu(store, cpuid, arena, ret);
}

void pq_metric_find_folders(struct pmuq_store *store, struct pmuq_str cpuid, struct pq_arena *arena,
			    struct pq_metric_folders *ret)
{
	auto_arena struct pq_arena patterns = PQ_ARENA(PQ_VENDOR_CPUS_MAX_BYTES);
	int64_t common = find_common(store);
	struct pq_metric_folder *folder;
	struct pq_vendor_cpu cpu;
	struct pq_rows rows;

	find_cpu(store, cpuid, common, &patterns, &cpu);
	cpu.version = pq_arena_str(arena, cpu.version);
	if (store->r == 0 && !cpu.version.p)
		pq_store_fail_memory(store);
	rows = pq_sql_rows(
		store,
		PQ_QUERY(folder_columns,
			 "FROM vendor_folder"
			 " WHERE vendor = ?1 AND arch = ?2 AND (is_system = 1 OR position = ?3)"
			 " OR vendor = ?4 AND arch = 'common'"
			 " ORDER BY 2, position"),
		PQ_PARAMS(cpu.vendor, cpu.arch, cpu.position, common), sizeof(*folder), arena);
	folder = rows.own;
	for (size_t i = 0; i < rows.n; i++)
		folder[i].version = folder[i].table == PQ_METRICS_OF_CPU ? cpu.version : STR("");
	*ret = (struct pq_metric_folders){ .v = folder, .n = rows.n };
}
