/* SPDX-License-Identifier: MIT */
#include "vendor/vendor_list.h"

#define LIST_MAX_BYTES ((size_t)256 << 20)

struct vendor {
	struct pmuq_vendor_import record; /* first: what is handed out is this */
	int64_t id;
	struct pmuq_problem *problems;
};

/* Arrays double in the arena: they are short. */
struct pmuq_vendors {
	struct pq_arena arena;
	struct vendor *v;
	size_t n;
};

PQ_API void pmuq_vendors_free(struct pmuq_vendors *vendors)
{
	if (!vendors)
		return;
	pq_arena_clear(&vendors->arena);
	free(vendors);
}

/* Room for one more behind n; NULL when out of memory. */
static void *grow(struct pq_arena *arena, void *v, size_t n, size_t each_bytes)
{
	void *grown;

	if (n && (n & (n - 1) || n < 16))
		return v;
	grown = pq_arena_array(arena, n < 16 ? 16 : 2 * n, each_bytes);
	if (grown && n)
		memcpy(grown, v, n * each_bytes);
	return grown;
}

static int read_problems(struct pmuq_store *store, struct pmuq_vendors *vendors,
			 struct vendor *vendor, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_VENDOR_PROBLEMS, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, vendor->id);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		vendor->problems = grow(&vendors->arena, vendor->problems,
					vendor->record.n_problems, sizeof(*vendor->problems));
		if (!vendor->problems)
			return pq_fail_memory(reterr);
		vendor->problems[vendor->record.n_problems++] = (struct pmuq_problem){
			.size = sizeof(struct pmuq_problem),
			.path = pq_column_text(&stmt, 0, &vendors->arena),
			.line = (size_t)pq_column_int(&stmt, 1),
			.message = pq_column_text(&stmt, 2, &vendors->arena),
			.code = (enum pmuq_code)pq_column_int(&stmt, 3),
		};
	}
	return r < 0 ? r : 0;
}

static int read_vendors(struct pmuq_store *store, int64_t id, struct pmuq_vendors *vendors,
			struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_VENDORS, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, id);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		vendors->v = grow(&vendors->arena, vendors->v, vendors->n, sizeof(*vendors->v));
		if (!vendors->v)
			return pq_fail_memory(reterr);
		vendors->v[vendors->n++] = (struct vendor){
			.record = {
				.size = sizeof(vendors->v->record),
				.name = pq_column_text(&stmt, 1, &vendors->arena),
				.directory = pq_column_text(&stmt, 2, &vendors->arena),
				.layout = pq_column_int(&stmt, 4)   ? STR("libpfm4")
					  : pq_column_int(&stmt, 3) ? STR("perfmon")
								    : STR("kernel"),
				.time_s = pq_column_int(&stmt, 5),
				.n_folders = (size_t)pq_column_int(&stmt, 6),
				.n_cpus = (size_t)pq_column_int(&stmt, 7),
				.n_events = (size_t)pq_column_int(&stmt, 8),
				.n_metrics = (size_t)pq_column_int(&stmt, 9),
			},
			.id = pq_column_int(&stmt, 0),
		};
	}
	for (size_t i = 0; r >= 0 && i < vendors->n; i++)
		r = read_problems(store, vendors, &vendors->v[i], reterr);
	return r < 0 ? r : 0;
}

int pq_vendors_read(struct pmuq_store *store, int64_t id, struct pmuq_vendors **ret,
		    struct pmuq_error **reterr)
{
	struct pmuq_vendors *vendors = calloc(1, sizeof(*vendors));
	int r;

	if (!vendors)
		return pq_fail_memory(reterr);
	pq_arena_init(&vendors->arena, NULL, 0, LIST_MAX_BYTES);
	r = read_vendors(store, id, vendors, reterr);
	if (r < 0)
		pmuq_vendors_free(vendors);
	else
		*ret = vendors;
	return r;
}

static int list_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	return pq_vendors_read(store, 0, arg, reterr);
}

static void forget_list(void *arg)
{
	struct pmuq_vendors **vendors = arg;

	pmuq_vendors_free(move(*vendors));
}

PQ_API int pmuq_store_list_vendors(struct pmuq_store *store, struct pmuq_vendors **ret,
				   struct pmuq_error **reterr)
{
	struct pmuq_vendors *vendors = NULL;
	const struct pq_work work = { .run = list_within, .undo = forget_list, .arg = &vendors };
	int r;

	store->doing = "cannot list the tables";
	r = pq_store_read(store, &work, reterr);
	if (r == 0)
		*ret = vendors;
	return r;
}

#define HINT_NAMES 8

int pq_vendors_fail_unknown(struct pmuq_store *store, struct pmuq_str name,
			    struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	cleanup(pq_buf_free) struct pq_buf hint = PQ_BUF_NULL;
	struct pq_arena arena;
	size_t n = 0, start;
	int r = pq_fail(reterr, PMUQ_E_UNKNOWN_VENDOR, "the database has no tables '%.*s'",
			STR_ARG(name));

	pq_error_origin(reterr, str_of(store->path));
	if (pq_stmt_begin(&stmt, store, PQ_SQL_LIST_VENDOR_NAMES, NULL) < 0)
		return r;
	pq_arena_init(&arena, NULL, 0, LIST_MAX_BYTES);
	pq_buf_add(&hint, STR("there are: "));
	start = hint.n;
	for (; n < HINT_NAMES && pq_stmt_step(&stmt, NULL) == 0; n++)
		pq_buf_list(&hint, start, pq_column_text(&stmt, 0, &arena));
	if (n)
		pq_error_hint_buf(reterr, &hint);
	pq_arena_clear(&arena);
	return r;
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
	if (import >= vendors->n || index >= vendors->v[import].record.n_problems)
		return NULL;
	return &vendors->v[import].problems[index];
}
