/* SPDX-License-Identifier: MIT */
/*
 * The list of imports as an object of the API, and the error for an import that does not exist.
 */
#include "vendor/vendor_list.h"
#include "core/buf.h"
#include "core/limits.h"
#include "vendor/vendor_sets.h"

struct listed_vendor {
	struct pmuq_vendor_import record; /* what the API returns */
	int64_t id;
	struct pmuq_problem *problems;
};

#define COUNT_OF(table) "(SELECT count(*) FROM " table " WHERE vendor = vendor.id)"
/* The rows of a set have the positions from 0 on. */
#define COUNT_IN_FOLDERS(table)                                                                    \
	"(SELECT CAST(coalesce(sum((SELECT max(position) + 1 FROM " table " WHERE " table          \
	".vendor_set = vendor_folder.vendor_set)), 0) AS bigint)"                                  \
	" FROM vendor_folder WHERE vendor_folder.vendor = vendor.id)"

static const struct pq_column vendor_columns[] = {
	{ PQ_COLUMN(struct listed_vendor, id) },
	{ PQ_COLUMN_AS(struct listed_vendor, record.name, "name") },
	{ PQ_COLUMN_AS(struct listed_vendor, record.directory, "directory") },
	{ PQ_COLUMN_AS(struct listed_vendor, record.layout, "layout") },
	{ PQ_COLUMN_AS(struct listed_vendor, record.time_s, "imported") },
	{ PQ_COLUMN_AS(struct listed_vendor, record.n_folders, COUNT_OF("vendor_folder")) },
	{ PQ_COLUMN_AS(struct listed_vendor, record.n_cpus, COUNT_OF("vendor_cpu")) },
	{ PQ_COLUMN_AS(struct listed_vendor, record.n_events, COUNT_IN_FOLDERS("vendor_event")) },
	{ PQ_COLUMN_AS(struct listed_vendor, record.n_metrics, COUNT_IN_FOLDERS("vendor_metric")) },
};

struct pmuq_vendors {
	struct pq_arena arena;
	struct listed_vendor *v;
	size_t n;
};

PQ_API void pmuq_vendors_free(struct pmuq_vendors *vendors)
{
	if (!vendors)
		return;
	pq_arena_clear(&vendors->arena);
	free(vendors);
}

/* The members that are not columns of the import. */
static void complete(struct pmuq_store *store, struct listed_vendor *vendor, struct pq_arena *arena)
{
	struct pq_rows rows = pq_table_load(store, &pq_vendor_problem_table, vendor->id, arena);

	vendor->record.size = sizeof(vendor->record);
	vendor->record.n_problems = rows.n;
	vendor->problems = rows.own;
	for (size_t i = 0; i < rows.n; i++)
		vendor->problems[i].size = sizeof(vendor->problems[i]);
}

struct pmuq_vendors *pq_vendor_list_read(struct pmuq_store *store, int64_t id)
{
	struct pmuq_vendors *vendors = calloc(1, sizeof(*vendors));
	struct pq_rows rows;

	if (!vendors) {
		pq_store_fail_memory(store);
		return NULL;
	}
	vendors->arena = PQ_ARENA(PQ_VENDOR_LIST_MAX_BYTES);
	rows = pq_sql_rows(
		store,
		PQ_QUERY(vendor_columns, "FROM vendor WHERE id = ?1 OR ?1 = 0 ORDER BY name"),
		PQ_PARAMS(id), sizeof(*vendors->v), &vendors->arena);
	vendors->v = rows.own;
	vendors->n = rows.n;
	for (size_t i = 0; store->r == 0 && i < vendors->n; i++)
		complete(store, &vendors->v[i], &vendors->arena);
	return vendors;
}

static void list_within(struct pmuq_store *store, void *arg)
{
	struct pmuq_vendors **vendors = arg;

	pmuq_vendors_free(*vendors);
	*vendors = pq_vendor_list_read(store, 0);
}

PQ_API int pmuq_store_list_vendors(struct pmuq_store *store, struct pmuq_vendors **ret,
				   struct pmuq_error **reterr)
{
	struct pmuq_vendors *vendors = NULL;
	int r = pq_store_read(store, "cannot list the tables", list_within, &vendors, reterr);

	if (r == 0)
		*ret = vendors;
	else
		pmuq_vendors_free(vendors);
	return r;
}

#define HINT_NAMES 8

void pq_vendor_fail_unknown(struct pmuq_store *store, struct pmuq_str name)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_buf hint = PQ_BUF_NULL;
	struct pmuq_str known;
	size_t n = 0, start;

	pq_stmt_begin(&stmt, store, PQ_QUERY(pq_one_text, "SELECT name FROM vendor ORDER BY name"),
		      PQ_NO_PARAMS);
	pq_buf_add(&hint, STR("there are: "));
	start = hint.n;
	for (; n < HINT_NAMES && pq_stmt_next(&stmt, &known, NULL); n++)
		pq_buf_list(&hint, start, known);
	if (!n)
		pq_buf_free(&hint);
	pq_store_fail_with(store, &hint, PMUQ_E_UNKNOWN_VENDOR, "the database has no tables '%.*s'",
			   STR_ARG(name));
}

PQ_API size_t pmuq_vendors_count(const struct pmuq_vendors *vendors)
{
	return vendors->n;
}

PQ_API const struct pmuq_vendor_import *pmuq_vendors_get(const struct pmuq_vendors *vendors,
							 size_t index)
{
	return index < vendors->n ? &vendors->v[index].record : NULL;
}

PQ_API const struct pmuq_problem *pmuq_vendors_problem(const struct pmuq_vendors *vendors,
						       size_t import, size_t index)
{
	const struct pmuq_vendor_import *of = pmuq_vendors_get(vendors, import);

	return of && index < of->n_problems ? &vendors->v[import].problems[index] : NULL;
}
