/* SPDX-License-Identifier: MIT */
#include "vendor/search/vendor_folders.h"

struct folder_row {
	struct pmuq_str arch, path;
	bool is_libpfm4;
};

static const struct pq_column folder_columns[] = {
	{ PQ_COLUMN(struct folder_row, arch) },
	{ PQ_COLUMN(struct folder_row, path) },
	{ PQ_COLUMN_AS(struct folder_row, is_libpfm4, "layout = 'libpfm4'") },
};

/* Imports can share a set. Empty after an error. */
static struct pq_rows folders_of(struct pmuq_store *store, struct pq_vendor_folders *folders,
				 int64_t vendor_set)
{
	struct pq_vendor_set_folders read = { .vendor_set = vendor_set };

	for (size_t i = 0; i < folders->n; i++)
		if (folders->v[i].vendor_set == vendor_set)
			return folders->v[i].folders;
	read.folders = pq_sql_rows(
		store,
		PQ_QUERY(folder_columns,
			 "FROM vendor_folder JOIN vendor ON vendor.id = vendor_folder.vendor"
			 " WHERE vendor_set = ?"),
		PQ_PARAMS(vendor_set), sizeof(struct folder_row), folders->arena);
	if (!pq_vec_push_in(folders->arena, folders, read))
		pq_store_fail_memory(store);
	return read.folders;
}

static int compare(const void *a, const void *b)
{
	const struct folder_row *left = *(const struct folder_row *const *)a;
	const struct folder_row *right = *(const struct folder_row *const *)b;
	int order = str_cmp(left->arch, right->arch);

	return order ? order : str_cmp(left->path, right->path);
}

struct folder_list {
	PQ_VEC(const struct folder_row *);
};

/* A text that is in several sets may have a folder twice. */
static void gather(struct pmuq_store *store, struct pq_vendor_folders *folders, struct pq_rows sets,
		   struct folder_list *ret)
{
	const int64_t *vendor_set = sets.v;

	for (size_t i = 0; i < sets.n; i++) {
		struct pq_rows rows = folders_of(store, folders, vendor_set[i]);
		const struct folder_row *row = rows.v;

		for (size_t k = 0; k < rows.n; k++)
			if (!pq_vec_push(ret, &row[k]))
				pq_store_fail_memory(store);
	}
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), compare);
}

bool pq_vendor_folders_print(struct pmuq_store *store, struct pq_vendor_folders *folders,
			     int64_t text, bool is_metric, struct pq_buf *ret)
{
	const struct pq_sql *sets_of =
		is_metric ? PQ_QUERY(pq_one_number, "SELECT DISTINCT vendor_set FROM vendor_metric"
						    " WHERE vendor_text = ?")
			  : PQ_QUERY(pq_one_number, "SELECT DISTINCT vendor_set FROM vendor_event"
						    " WHERE vendor_text = ?");
	auto_vec struct folder_list all = { 0 };

	gather(store, folders,
	       pq_sql_rows(store, sets_of, PQ_PARAMS(text), sizeof(int64_t), folders->arena), &all);
	for (size_t i = 0; i < all.n; i++)
		if (i == 0 || compare(&all.v[i - 1], &all.v[i]) != 0)
			pq_buf_print(ret, "%s%.*s/%.*s", i ? ", " : "", STR_ARG(all.v[i]->arch),
				     STR_ARG(all.v[i]->path));
	return all.n && all.v[0]->is_libpfm4;
}
