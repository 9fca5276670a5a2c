/* SPDX-License-Identifier: MIT */
/*
 * Opens a machine, live or captured, as a source: its root and the directory of its PMUs, which
 * stay open. It reads only a manifest or a tar.
 */
#include "core/limits.h"
#include "discover/lazy/lazy.h"

static void free_source(struct pmuq_source *source)
{
	struct pq_lazy *lazy = (struct pq_lazy *)source;

	pq_handle_close(&lazy->devices);
	pq_handle_close(&lazy->link);
	pq_handle_close(&lazy->tracefs);
	pq_root_close(&lazy->root);
	pq_lazy_free_past(lazy);
	pq_cache_free(&lazy->cache);
	pq_arena_clear(&lazy->arena);
	free(lazy);
}

/* The source is from this module if this module frees it. */
struct pq_root *pq_lazy_root(struct pmuq_source *source)
{
	return source->free == free_source ? &((struct pq_lazy *)source)->root : NULL;
}

static void free_sourcep(struct pq_lazy **lazy)
{
	if (*lazy)
		free_source(&(*lazy)->source);
}

static int read_catalog(struct pmuq_source *source, struct pmuq_catalog **ret,
			struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = (struct pq_lazy *)source;

	return pq_walk(&lazy->root, lazy->devices, ret, reterr);
}

void pq_lazy_reset(struct pq_lazy *lazy)
{
	static const struct pq_pmu_list none;

	lazy->link = lazy->tracefs = PQ_NO_HANDLE;
	lazy->link_of = NULL;
	lazy->is_tracefs_open = false;
	pq_arena_init(&lazy->arena, NULL, 0, PQ_SOURCE_MAX_BYTES);
	lazy->reader = (struct pq_reader){ .root = &lazy->root, .arena = &lazy->arena };
	lazy->cache = (struct pq_cache){ .arena = &lazy->arena };
	memset(lazy->is_fact_read, 0, sizeof(lazy->is_fact_read));
	lazy->found = lazy->ordered[false] = lazy->ordered[true] = none;
	lazy->is_listed = lazy->is_ordered[false] = lazy->is_ordered[true] = false;
	lazy->are_aliases_read = false;
	lazy->last_names = NULL;
}

static struct pq_lazy *new_lazy(void)
{
	struct pq_lazy *lazy = calloc(1, sizeof(*lazy));

	if (!lazy)
		return NULL;
	lazy->root.top = lazy->devices = PQ_NO_HANDLE;
	pq_lazy_reset(lazy);
	lazy->source.lookup = (struct pq_lookup){ .ops = &pq_lazy_ops, .self = lazy };
	lazy->source.find_fact = pq_lazy_find_fact;
	lazy->source.read_catalog = read_catalog;
	lazy->source.refresh = pq_lazy_refresh;
	lazy->source.free = free_source;
	return lazy;
}

static int enter_devices(struct pq_lazy *lazy, const char *dir, struct pmuq_error **reterr)
{
	int r = pq_root_enter(&lazy->root, lazy->root.top, PQ_DEVICES, PQ_WITHIN_ROOT,
			      &lazy->devices);

	if (r == 0)
		return 0;
	if (lazy->root.resource_errnum)
		return pq_root_check(&lazy->root, reterr);
	pq_fail(reterr, PMUQ_E_NO_ROOT, "'%s' does not contain a machine: %s %s", dir, PQ_DEVICES,
		r == PQ_NONE ? "does not exist" : pq_root_reason(r, lazy->root.errnum));
	pq_error_origin(reterr, str_of(dir));
	pq_error_errno(reterr, lazy->root.errnum);
	if (lazy->root.is_live)
		pq_error_hint(reterr, "is sysfs mounted, and is perf built into this kernel?");
	else if (pq_root_file_type(&lazy->root, lazy->root.top, "bus") == PQ_FILE_DIR)
		pq_error_hint(reterr,
			      "this is sysfs itself: name the directory that contains it as sys/");
	return -PMUQ_E_NO_ROOT;
}

static int open_source(const char *dir, struct pmuq_source **ret, struct pmuq_error **reterr)
{
	cleanup(free_sourcep) struct pq_lazy *lazy = new_lazy();
	int r;

	if (!lazy)
		return pq_fail_memory(reterr);
	r = dir ? pq_root_open_tree(&lazy->root, dir, &lazy->source.opens, reterr)
		: pq_root_open_live(&lazy->root, &lazy->source.opens, reterr);
	if (r == 0)
		r = enter_devices(lazy, dir ? dir : "/", reterr);
	if (r < 0)
		return r;
	lazy->source.is_live = lazy->root.is_live;
	lazy->trusts_inodes = lazy->root.is_live && pq_root_is_sysfs(&lazy->root, lazy->devices);
	pq_host_init(&lazy->host, &lazy->reader);
	*ret = &move(lazy)->source;
	return 0;
}

PQ_API int pmuq_source_open_live(struct pmuq_source **ret, struct pmuq_error **reterr)
{
	return open_source(NULL, ret, reterr);
}

PQ_API int pmuq_source_open_tree(const char *path, struct pmuq_source **ret,
				 struct pmuq_error **reterr)
{
	if (!path)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the path of a directory or tar is NULL");
	return open_source(path, ret, reterr);
}
