/* SPDX-License-Identifier: MIT */
/*
 * The API of imports. Each import and each removal is one transaction: the walkers read the whole
 * tree and save folder by folder in it, so a bad file leaves the database as it was. Between two
 * steps the caller can show how far it is, or give up.
 */
#include "vendor/import/vendor_import.h"
#include "core/freep.h"
#include "core/limits.h"
#include "vendor/search/vendor_index.h"
#include "vendor/vendor_library.h"
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
	const struct pq_vendor_walker *walker;
} layouts[] = {
	// clang-format off
	[PQ_VENDOR_KERNEL] = { .name = STR("kernel"), .default_name = STR("perf"), .walker = &pq_vendor_tree_walker },
	[PQ_VENDOR_PERFMON] = { .name = STR("perfmon"), .default_name = STR("perfmon"), .walker = &pq_vendor_perfmon_walker },
	[PQ_VENDOR_TELEMETRY] = { .name = STR("telemetry"), .default_name = STR("telemetry"), .walker = &pq_vendor_telemetry_walker },
	[PQ_VENDOR_LIBPFM4] = { .name = STR("libpfm4"), .default_name = STR("libpfm4"), .walker = &pq_vendor_pfm_walker },
	// clang-format on
};

struct pmuq_importer {
	struct pq_vendor_import import;
	const struct pq_vendor_walker *walker;
	const char *doing; /* for errors */
	bool has_begun;	   /* the transaction, which the caller has not */
	bool is_finished;  /* nothing but the commit is left */
};

/* ---- the parts of the transaction */

void pq_vendor_add_step(struct pq_vendor_import *import, struct pmuq_str path, void *of)
{
	const struct pq_vendor_step step = { .path = pq_arena_str(&import->arena, path), .of = of };

	if (!step.path.p || !pq_vec_push_in(&import->arena, &import->steps, step))
		pq_vendor_fail_memory(&import->tree);
}

/* An import of the same name is replaced; shared content stays. */
static void begin_within(struct pmuq_store *store, void *arg)
{
	struct pmuq_importer *importer = arg;
	struct pq_vendor_import *import = &importer->import;
	const struct vendor_layout *layout = &layouts[import->layout];

	importer->walker = layout->walker;
	if (!import->name.p)
		import->name = layout->default_name;
	drop(store, import->name);
	pq_vendor_save_import(import, layout->name);
	if (store->r == 0)
		layout->walker->plan(import);
	store->r = import->tree.r;
}

static void step_within(struct pmuq_store *store, void *arg)
{
	struct pmuq_importer *importer = arg;
	struct pq_vendor_import *import = &importer->import;

	importer->walker->step(import, &import->steps.v[import->n_done++]);
	store->r = import->tree.r;
}

static void finish_within(struct pmuq_store *store, void *arg)
{
	struct pmuq_importer *importer = arg;
	struct pq_vendor_import *import = &importer->import;

	if (importer->walker->finish)
		importer->walker->finish(import);
	store->r = import->tree.r;
	drop_unused(store);
	pq_vendor_index(store);
	import->result = pq_vendor_list_read(store, import->id);
}

static int run_within(struct pmuq_importer *importer, pq_work *work, struct pmuq_error **reterr)
{
	importer->import.tree.reterr = reterr;
	return pq_store_write(importer->import.store, importer->doing, work, importer, reterr);
}

/* ---- the API */

static int check_call(const char *dir, const char *name, struct pmuq_error **reterr)
{
	if (dir && *dir && (!name || *name))
		return 0;
	return pq_fail(reterr, PMUQ_E_BAD_CALL, "the directory or the name is empty");
}

static struct pmuq_importer *make_importer(struct pmuq_store *store, const char *doing,
					   const char *name, int64_t time_s,
					   struct pmuq_error **reterr)
{
	cleanup(pmuq_importer_freep) struct pmuq_importer *importer = calloc(1, sizeof(*importer));
	struct pq_vendor_import *import;

	if (!importer)
		return NULL;
	import = &importer->import;
	importer->doing = doing;
	import->store = store;
	import->tree = (struct pq_vendor_tree){ .fd = -1, .reterr = reterr };
	import->arena = PQ_ARENA(PQ_VENDOR_NAMES_MAX_BYTES);
	import->time_s = time_s;
	import->name = str_of(name);
	return !name || pq_arena_keep(&import->arena, &import->name) ? move(importer) : NULL;
}

/* The tree has been opened. */
static int begin(struct pmuq_importer *importer, struct pmuq_error **reterr)
{
	struct pq_vendor_import *import = &importer->import;
	int r = import->tree.r;

	if (r == 0 && !import->store->is_in_batch) {
		r = pq_store_begin_batch(import->store, importer->doing, reterr);
		importer->has_begun = r == 0;
	}
	return r < 0 ? r : run_within(importer, begin_within, reterr);
}

PQ_API int pmuq_importer_begin(struct pmuq_store *store, const char *dir, const char *name,
			       int64_t time_s, struct pmuq_importer **ret,
			       struct pmuq_error **reterr)
{
	cleanup(pmuq_importer_freep) struct pmuq_importer *importer = NULL;
	struct pq_vendor_import *import;
	int r = check_call(dir, name, reterr);

	if (r < 0)
		return r;
	importer = make_importer(store, "cannot import the tables", name, time_s, reterr);
	if (!importer)
		return pq_fail_memory(reterr);
	import = &importer->import;
	dir = pq_arena_str(&import->arena, str_of(dir)).p;
	if (!dir)
		return pq_fail_memory(reterr);
	pq_vendor_tree_open(&import->tree, dir);
	pq_vendor_find_layout(import);
	r = begin(importer, reterr);
	if (r == 0)
		*ret = move(importer);
	return r;
}

/* The library's file and build id are stored as the directory. */
static int name_library(struct pq_vendor_import *import, struct pmuq_error **reterr)
{
	struct pq_buf text = PQ_BUF_IN(&import->arena);
	struct pq_buf library = PQ_BUF_IN(&import->arena);
	const char *file = NULL, *build_id = NULL, *path = NULL;
	int r = pmuq_pfm_library(import->pfm, &file, &build_id, reterr);

	if (r == 0)
		r = pmuq_pfm_library_path(import->pfm, &path, reterr);
	if (r < 0)
		return r;
	pq_buf_print(&text, "%s%s%s", file, *build_id ? " " : "", build_id);
	pq_vendor_library_describe(str_of(path), &library);
	import->tree.dir = pq_buf_take_str(&text);
	if (!import->tree.dir.p || library.failed)
		return pq_fail_memory(reterr);
	if (library.n)
		import->library = pq_buf_take_str(&library);
	return 0;
}

PQ_API int pmuq_importer_begin_pfm(struct pmuq_store *store, struct pmuq_pfm *pfm, const char *name,
				   int64_t time_s, struct pmuq_importer **ret,
				   struct pmuq_error **reterr)
{
	cleanup(pmuq_importer_freep) struct pmuq_importer *importer = NULL;
	int r = check_call("libpfm4", name, reterr);

	if (r < 0)
		return r;
	importer = make_importer(store, "cannot import the names of libpfm4", name, time_s, reterr);
	if (!importer)
		return pq_fail_memory(reterr);
	importer->import.layout = PQ_VENDOR_LIBPFM4;
	importer->import.pfm = pfm;
	r = name_library(&importer->import, reterr);
	if (r == 0)
		r = begin(importer, reterr);
	if (r == 0)
		*ret = move(importer);
	return r;
}

PQ_API const char *pmuq_importer_upcoming(const struct pmuq_importer *importer)
{
	const struct pq_vendor_import *import = &importer->import;

	return import->n_done < import->steps.n ? import->steps.v[import->n_done].path.p : NULL;
}

PQ_API size_t pmuq_importer_n_steps(const struct pmuq_importer *importer)
{
	return importer->import.steps.n;
}

PQ_API size_t pmuq_importer_n_done(const struct pmuq_importer *importer)
{
	return importer->import.n_done;
}

PQ_API int pmuq_importer_next(struct pmuq_importer *importer, struct pmuq_error **reterr)
{
	return pmuq_importer_upcoming(importer) ? run_within(importer, step_within, reterr) : 0;
}

PQ_API int pmuq_importer_commit(struct pmuq_importer *importer, struct pmuq_vendors **ret,
				struct pmuq_error **reterr)
{
	struct pq_vendor_import *import = &importer->import;
	int r;

	if (importer->is_finished || pmuq_importer_upcoming(importer))
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       importer->is_finished ? "the import was committed already"
						     : "a step has not been done yet");
	importer->is_finished = true;
	r = run_within(importer, finish_within, reterr);
	if (r == 0 && importer->has_begun)
		r = pq_store_commit_batch(import->store, importer->doing, reterr);
	if (r == 0 && ret)
		*ret = move(import->result);
	return r;
}

PQ_API void pmuq_importer_free(struct pmuq_importer *importer)
{
	struct pq_vendor_import *import;

	if (!importer)
		return;
	import = &importer->import;
	if (importer->has_begun)
		pmuq_store_roll_back(import->store);
	if (importer->walker && importer->walker->free)
		importer->walker->free(import);
	pmuq_vendors_free(import->result);
	pq_vendor_tree_close(&import->tree);
	pq_arena_clear(&import->arena);
	free(importer);
}

/* All of it at once. */
static int run_all(struct pmuq_importer *importer, struct pmuq_vendors **ret,
		   struct pmuq_error **reterr)
{
	int r = 0;

	while (r == 0 && pmuq_importer_upcoming(importer))
		r = pmuq_importer_next(importer, reterr);
	return r < 0 ? r : pmuq_importer_commit(importer, ret, reterr);
}

PQ_API int pmuq_store_import_vendor(struct pmuq_store *store, const char *dir, const char *name,
				    int64_t time_s, struct pmuq_vendors **ret,
				    struct pmuq_error **reterr)
{
	cleanup(pmuq_importer_freep) struct pmuq_importer *importer = NULL;
	int r = pmuq_importer_begin(store, dir, name, time_s, &importer, reterr);

	return r < 0 ? r : run_all(importer, ret, reterr);
}

PQ_API int pmuq_store_import_pfm(struct pmuq_store *store, struct pmuq_pfm *pfm, const char *name,
				 int64_t time_s, struct pmuq_vendors **ret,
				 struct pmuq_error **reterr)
{
	cleanup(pmuq_importer_freep) struct pmuq_importer *importer = NULL;
	int r = pmuq_importer_begin_pfm(store, pfm, name, time_s, &importer, reterr);

	return r < 0 ? r : run_all(importer, ret, reterr);
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
