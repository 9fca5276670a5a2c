/* SPDX-License-Identifier: MIT */
/*
 * The API of imports. Each import and each removal is one transaction: the walkers read the whole
 * tree and save folder by folder in it, so a bad file leaves the database as it was.
 */
#include "vendor/import/vendor_import.h"
#include "core/limits.h"
#include "vendor/search/vendor_index.h"
#include "vendor/vendor_list.h"
#include "vendor/vendor_sets.h"

/* Returns the id that the import had; 0 if there is no import of that name. */
static int64_t drop(struct pmuq_store *store, struct pmuq_str name)
{
	int64_t id = 0;

	pq_sql_number(store, "SELECT id FROM vendor WHERE name = ?", PQ_PARAMS(name), &id);
	pq_sql_run(store, "DELETE FROM vendor WHERE id = ?", PQ_PARAMS(id));
	return id;
}

/* Texts of events and of metrics. */
static void drop_unused_texts(struct pmuq_store *store)
{
	pq_sql_run(store,
		   "DELETE FROM vendor_text"
		   " WHERE id NOT IN (SELECT vendor_text FROM vendor_event)"
		   " AND id NOT IN (SELECT vendor_text FROM vendor_metric)",
		   PQ_NO_PARAMS);
}

/* The index needs the texts that are removed. */
static void drop_unused(struct pmuq_store *store)
{
	pq_set_drop_unused(store, &pq_vendor_event_set);
	pq_vendor_unindex(store);
	drop_unused_texts(store);
}

static const struct vendor_layout {
	struct pmuq_str name;	      /* in the store */
	struct pmuq_str default_name; /* of the import */
	void (*walk)(struct pq_vendor_import *import);
} layouts[] = {
	// clang-format off
	[PQ_VENDOR_KERNEL] = { .name = STR("kernel"), .default_name = STR("perf"), .walk = pq_vendor_walk_tree },
	[PQ_VENDOR_PERFMON] = { .name = STR("perfmon"), .default_name = STR("perfmon"), .walk = pq_vendor_walk_perfmon },
	[PQ_VENDOR_TELEMETRY] = { .name = STR("telemetry"), .default_name = STR("telemetry"), .walk = pq_vendor_walk_telemetry },
	[PQ_VENDOR_LIBPFM4] = { .name = STR("libpfm4"), .default_name = STR("libpfm4"), .walk = pq_vendor_walk_pfm },
	// clang-format on
};

/* An import of the same name is replaced; shared content stays. */
static void import_within(struct pmuq_store *store, void *arg)
{
	struct pq_vendor_import *import = arg;
	const struct vendor_layout *layout = &layouts[import->layout];

	if (!import->name.p)
		import->name = layout->default_name;
	drop(store, import->name);
	pq_vendor_save_import(import, layout->name);
	if (store->r == 0)
		layout->walk(import);
	store->r = import->tree.r;
	drop_unused(store);
	pq_vendor_index(store);
	import->result = pq_vendor_list_read(store, import->id);
}

static int run_import(struct pq_vendor_import *import, const char *doing, struct pmuq_vendors **ret)
{
	int r = import->tree.r;

	if (r == 0)
		r = pq_store_write(import->store, doing, import_within, import,
				   import->tree.reterr);
	if (r == 0 && ret)
		*ret = move(import->result);
	pmuq_vendors_free(import->result);
	return r;
}

static int check_call(const char *dir, const char *name, struct pmuq_error **reterr)
{
	if (dir && *dir && (!name || *name))
		return 0;
	return pq_fail(reterr, PMUQ_E_BAD_CALL, "the directory or the name is empty");
}

PQ_API int pmuq_store_import_vendor(struct pmuq_store *store, const char *dir, const char *name,
				    int64_t time_s, struct pmuq_vendors **ret,
				    struct pmuq_error **reterr)
{
	struct pq_vendor_import import = {
		.store = store,
		.tree = { .fd = -1, .reterr = reterr },
		.name = str_of(name),
		.time_s = time_s,
	};
	int r = check_call(dir, name, reterr);

	if (r < 0)
		return r;
	import.arena = PQ_ARENA(PQ_VENDOR_NAMES_MAX_BYTES);
	pq_vendor_tree_open(&import.tree, dir);
	pq_vendor_find_layout(&import);
	r = run_import(&import, "cannot import the tables", ret);
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
		.name = str_of(name),
		.time_s = time_s,
	};
	cleanup(pq_buf_free) struct pq_buf library = PQ_BUF_NULL;
	int r = check_call("libpfm4", name, reterr);

	if (r < 0)
		return r;
	r = name_library(&import, &library, reterr);
	return r < 0 ? r : run_import(&import, "cannot import the names of libpfm4", ret);
}

static void remove_within(struct pmuq_store *store, void *arg)
{
	const struct pmuq_str *name = arg;

	if (!drop(store, *name))
		pq_vendor_fail_unknown(store, *name);
	drop_unused(store);
}

PQ_API int pmuq_store_remove_vendor(struct pmuq_store *store, const char *name,
				    struct pmuq_error **reterr)
{
	struct pmuq_str wanted = str_of(name ? name : "");
	int r = check_call("name", name, reterr);

	return r < 0 ? r
		     : pq_store_write(store, "cannot remove the tables", remove_within, &wanted,
				      reterr);
}
