/* SPDX-License-Identifier: MIT */
/* Tables come and go: each import and each removal is one transaction. */
#include "vendor/import/vendor_import.h"
#include "vendor/vendor_list.h"

static int find_import(struct pmuq_store *store, struct pmuq_str name, int64_t *ret,
		       struct pmuq_error **reterr)
{
	return pq_stmt_find_id(store, PQ_SQL_FIND_VENDOR, name, ret, reterr);
}

int pq_vendor_drop(struct pmuq_store *store, struct pmuq_str name, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int64_t id = 0;
	int r = find_import(store, name, &id, reterr);

	if (r == 0)
		r = pq_stmt_begin(&stmt, store, PQ_SQL_DROP_VENDOR, reterr);
	if (r != 0)
		return r;
	pq_bind_int(&stmt, id);
	return pq_stmt_run(&stmt, reterr);
}

/* What no import has any more. */
static int drop_unused(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r = pq_store_run(store, PQ_SQL_DROP_VENDOR_SETS, reterr);

	if (r == 0)
		r = pq_vendor_unindex(store, reterr);
	return r < 0 ? r : pq_store_run(store, PQ_SQL_DROP_VENDOR_TEXTS, reterr);
}

struct importing {
	struct pq_vendor_import *import;
	struct pmuq_str name;
	int64_t time_s;
	int (*walk)(struct pq_vendor_import *import, struct pmuq_error **reterr);
	struct pmuq_vendors *vendors;
};

/* One that has the name already gives way: what they have in common stays. */
static int import_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct importing *importing = arg;
	struct pq_vendor_import *import = importing->import;
	int r = pq_vendor_drop(store, importing->name, reterr);

	if (r >= 0)
		r = pq_vendor_add_import(import, importing->name, importing->time_s, reterr);
	if (r == 0)
		r = importing->walk(import, reterr);
	if (r == 0)
		r = drop_unused(store, reterr);
	if (r == 0)
		r = pq_vendor_index(store, reterr);
	return r < 0 ? r : pq_vendors_read(store, import->id, &importing->vendors, reterr);
}

static const struct pmuq_str default_names[] = {
	[PQ_VENDOR_KERNEL] = STR("perf"),
	[PQ_VENDOR_PERFMON] = STR("perfmon"),
};

static int run_import(struct pq_vendor_import *import, const char *name, int64_t time_s,
		      struct pmuq_vendors **ret, struct pmuq_error **reterr)
{
	struct importing importing = { .import = import, .time_s = time_s };
	const struct pq_work work = { .run = import_within, .arg = &importing };
	int r;

	importing.walk = import->pfm ? pq_vendor_walk_pfm : pq_vendor_walk;
	importing.name = name	       ? str_of(name)
			 : import->pfm ? STR("libpfm4")
				       : default_names[import->layout];
	r = pq_store_write(import->store, &work, reterr);
	if (r == 0 && ret)
		*ret = move(importing.vendors);
	pmuq_vendors_free(importing.vendors);
	return r;
}

/* Of trees that hold hundreds of mapfiles. */
#define NAMES_MAX_BYTES ((size_t)256 << 20)

static int check_call(const struct pmuq_store *store, const char *dir, const char *name,
		      struct pmuq_error **reterr)
{
	int r;

	if (!dir || !*dir || (name && !*name))
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "a directory and a name are not empty");
	if (store->mode != PMUQ_STORE_READ)
		return 0;
	r = pq_fail(reterr, PMUQ_E_STORE_WRITE, "the database was opened for reading only");
	pq_error_origin(reterr, str_of(store->path));
	return r;
}

PQ_API int pmuq_store_import_vendor(struct pmuq_store *store, const char *dir, const char *name,
				    int64_t time_s, struct pmuq_vendors **ret,
				    struct pmuq_error **reterr)
{
	struct pq_vendor_import import = { .store = store, .tree = { .fd = -1 } };
	int r = check_call(store, dir, name, reterr);

	if (r < 0)
		return r;
	store->doing = "cannot import the tables";
	r = pq_json_load(&import.json, reterr);
	if (r < 0)
		return r;
	pq_arena_init(&import.arena, NULL, 0, NAMES_MAX_BYTES);
	r = pq_vendor_tree_open(&import.tree, dir, reterr);
	if (r == 0)
		r = pq_vendor_find_layout(&import, reterr);
	if (r == 0)
		r = run_import(&import, name, time_s, ret, reterr);
	pq_vendor_tree_close(&import.tree);
	pq_arena_clear(&import.arena);
	pq_json_free(import.json);
	return r;
}

/* Its file and build id stand for the directory. */
static int name_library(struct pq_vendor_import *import, struct pq_buf *text,
			struct pmuq_error **reterr)
{
	const char *file = NULL, *build_id = NULL;
	int r = pmuq_pfm_library(import->pfm, &file, &build_id, reterr);

	if (r < 0)
		return r;
	pq_buf_print(text, "%s%s%s", file, *build_id ? " " : "", build_id);
	import->tree.dir = pq_buf_str(text);
	return text->failed ? pq_fail_memory(reterr) : 0;
}

PQ_API int pmuq_store_import_pfm(struct pmuq_store *store, struct pmuq_pfm *pfm, const char *name,
				 int64_t time_s, struct pmuq_vendors **ret,
				 struct pmuq_error **reterr)
{
	struct pq_vendor_import import = { .store = store, .pfm = pfm, .tree = { .fd = -1 } };
	cleanup(pq_buf_free) struct pq_buf library = PQ_BUF_NULL;
	int r = check_call(store, "libpfm4", name, reterr);

	if (r < 0)
		return r;
	store->doing = "cannot import the names of libpfm4";
	r = name_library(&import, &library, reterr);
	return r < 0 ? r : run_import(&import, name, time_s, ret, reterr);
}

struct removal {
	struct pmuq_str name;
};

static int remove_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	const struct removal *removal = arg;
	int r = pq_vendor_drop(store, removal->name, reterr);

	if (r == PQ_NONE)
		return pq_vendors_fail_unknown(store, removal->name, reterr);
	return r < 0 ? r : drop_unused(store, reterr);
}

PQ_API int pmuq_store_remove_vendor(struct pmuq_store *store, const char *name,
				    struct pmuq_error **reterr)
{
	struct removal removal = { .name = str_of(name ? name : "") };
	const struct pq_work work = { .run = remove_within, .arg = &removal };
	int r = check_call(store, "name", name, reterr);

	if (r < 0)
		return r;
	store->doing = "cannot remove the tables";
	return pq_store_write(store, &work, reterr);
}
