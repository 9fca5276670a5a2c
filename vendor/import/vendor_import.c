/* SPDX-License-Identifier: MIT */
/*
 * The API of imports. Each import and each removal is one transaction: the walkers read the whole
 * tree and save folder by folder in it, so a bad file leaves the database as it was.
 */
#include "vendor/import/vendor_import.h"
#include "db/db.h"
#include "vendor/search/vendor_index.h"
#include "vendor/vendor_list.h"
#include "vendor/vendor_sets.h"

static const struct pq_sql drop_import = { .text = "DELETE FROM vendor WHERE id = ?" };

/* PQ_NONE if there is no import of that name. */
static int drop(struct pmuq_store *store, struct pmuq_str name, struct pmuq_error **reterr)
{
	int64_t id = 0;
	int r = pq_vendor_find_import(store, name, &id, reterr);

	if (r != 0)
		return r;
	return pq_sql_run(store, &drop_import, PQ_PARAMS(pq_param_number(id)), reterr);
}

/* The index needs the texts that are dropped. */
static int drop_unused(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r = pq_set_drop_unused(store, &pq_vendor_event_set, reterr);

	if (r == 0)
		r = pq_vendor_unindex(store, reterr);
	return r < 0 ? r : pq_set_drop_unused(store, &pq_vendor_text_set, reterr);
}

static const struct vendor_layout {
	struct pmuq_str default_name;
	void (*walk)(struct pq_vendor_import *import);
} layouts[] = {
	[PQ_VENDOR_KERNEL] = { .default_name = STR("perf"), .walk = pq_vendor_walk_tree },
	[PQ_VENDOR_PERFMON] = { .default_name = STR("perfmon"), .walk = pq_vendor_walk_perfmon },
	[PQ_VENDOR_LIBPFM4] = { .default_name = STR("libpfm4"), .walk = pq_vendor_walk_pfm },
};

struct vendor_importing {
	struct pq_vendor_import *import;
	struct pmuq_str name;
	int64_t time_s;
	struct pmuq_vendors *vendors;
};

/* An import of the same name is replaced; what both have in common stays. */
static int import_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct vendor_importing *importing = arg;
	struct pq_vendor_import *import = importing->import;
	int r = drop(store, importing->name, reterr);

	if (r < 0)
		return r;
	pq_vendor_save_import(import, importing->name, importing->time_s);
	if (import->tree.r == 0)
		layouts[import->layout].walk(import);
	r = import->tree.r;
	if (r == 0)
		r = drop_unused(store, reterr);
	if (r == 0)
		r = pq_vendor_index(store, reterr);
	return r < 0 ? r : pq_vendor_list_read(store, import->id, &importing->vendors, reterr);
}

static int run_import(struct pq_vendor_import *import, const char *name, int64_t time_s,
		      struct pmuq_vendors **ret)
{
	struct vendor_importing importing = {
		.import = import,
		.name = name ? str_of(name) : layouts[import->layout].default_name,
		.time_s = time_s,
	};
	const struct pq_work work = { .run = import_within, .arg = &importing };
	int r = import->tree.r;

	if (r == 0)
		r = pq_store_write(import->store, &work, import->tree.reterr);
	if (r == 0 && ret)
		*ret = move(importing.vendors);
	pmuq_vendors_free(importing.vendors);
	return r;
}

/* For trees with hundreds of mapfiles. */
#define NAMES_MAX_BYTES ((size_t)256 << 20)

static int check_call(const struct pmuq_store *store, const char *dir, const char *name,
		      struct pmuq_error **reterr)
{
	if (!dir || !*dir || (name && !*name))
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the directory or the name is empty");
	return pq_store_check_writable(store, reterr);
}

PQ_API int pmuq_store_import_vendor(struct pmuq_store *store, const char *dir, const char *name,
				    int64_t time_s, struct pmuq_vendors **ret,
				    struct pmuq_error **reterr)
{
	struct pq_vendor_import import = { .store = store, .tree = { .fd = -1, .reterr = reterr } };
	int r = check_call(store, dir, name, reterr);

	if (r < 0)
		return r;
	store->doing = "cannot import the tables";
	pq_arena_init(&import.arena, NULL, 0, NAMES_MAX_BYTES);
	pq_vendor_tree_open(&import.tree, dir);
	pq_vendor_find_layout(&import);
	r = run_import(&import, name, time_s, ret);
	pq_vendor_tree_close(&import.tree);
	pq_arena_clear(&import.arena);
	return r;
}

/* The library's file and build id are stored as the directory. */
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
	struct pq_vendor_import import = {
		.store = store,
		.pfm = pfm,
		.layout = PQ_VENDOR_LIBPFM4,
		.tree = { .fd = -1, .reterr = reterr },
	};
	cleanup(pq_buf_free) struct pq_buf library = PQ_BUF_NULL;
	int r = check_call(store, "libpfm4", name, reterr);

	if (r < 0)
		return r;
	store->doing = "cannot import the names of libpfm4";
	r = name_library(&import, &library, reterr);
	return r < 0 ? r : run_import(&import, name, time_s, ret);
}

static int remove_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	const struct pmuq_str *name = arg;
	int r = drop(store, *name, reterr);

	if (r == PQ_NONE)
		return pq_vendor_fail_unknown(store, *name, reterr);
	return r < 0 ? r : drop_unused(store, reterr);
}

PQ_API int pmuq_store_remove_vendor(struct pmuq_store *store, const char *name,
				    struct pmuq_error **reterr)
{
	struct pmuq_str wanted = str_of(name ? name : "");
	const struct pq_work work = { .run = remove_within, .arg = &wanted };
	int r = check_call(store, "name", name, reterr);

	if (r < 0)
		return r;
	store->doing = "cannot remove the tables";
	return pq_store_write(store, &work, reterr);
}
