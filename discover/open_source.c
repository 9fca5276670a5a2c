/* SPDX-License-Identifier: MIT */
/*
 * Opens a machine, live or captured, as a source: its root and the directory of its PMUs, which
 * stay open. It reads only a manifest or a tar.
 */
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

static int read_catalog(struct pmuq_source *source, enum pq_part part, struct pmuq_catalog **ret,
			struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = (struct pq_lazy *)source;

	return pq_walk(&lazy->root, lazy->devices, part, ret, reterr);
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

/* The first part of the path of the devices that is a link; 0: none is. */
static size_t find_link(struct pq_root *root)
{
	char path[] = PQ_DEVICES;

	for (size_t i = 1; i < sizeof(path); i++) {
		char c = path[i];

		if (c != '/' && c != '\0')
			continue;
		path[i] = '\0';
		if (pq_root_file_type(root, root->top, path) == PQ_FILE_LINK)
			return i;
		path[i] = c;
	}
	return 0;
}

static int no_devices(struct pq_root *root, const char *dir, int r, struct pmuq_error **reterr)
{
	int errnum = root->errnum;
	size_t n_link = root->is_live ? 0 : find_link(root);

	if (n_link)
		r = pq_fail(reterr, PMUQ_E_NO_ROOT, "'%s' does not contain a machine: %.*s is %s",
			    dir, (int)n_link, PQ_DEVICES, PQ_LINK_LEADS_OUT);
	else
		r = pq_fail(reterr, PMUQ_E_NO_ROOT, "'%s' does not contain a machine: %s %s", dir,
			    &PQ_DEVICES[root->is_sysfs ? strlen("sys/") : 0],
			    r == PQ_NONE ? "does not exist" : pq_root_reason(r, errnum));
	pq_error_origin(reterr, str_of(dir));
	pq_error_errno(reterr, errnum);
	if (root->is_live)
		pq_error_hint(reterr, "is sysfs mounted, and is perf built into this kernel?");
	else if (!root->is_sysfs && pq_root_file_type(root, root->top, "bus") == PQ_FILE_DIR)
		pq_error_hint(reterr, "this is a sysfs itself: pmuq_source_open_sysfs() opens it");
	return r;
}

static int enter_devices(struct pq_lazy *lazy, const char *dir, struct pmuq_error **reterr)
{
	struct pq_root *root = &lazy->root;
	int r = pq_root_enter(root, root->top, PQ_DEVICES, PQ_WITHIN_ROOT, &lazy->devices);

	if (r == 0)
		return 0;
	return root->resource_errnum ? pq_root_check(root, reterr)
				     : no_devices(root, dir, r, reterr);
}

typedef int open_root_fn(struct pq_root *root, const char *path, uint64_t *opens,
			 struct pmuq_error **reterr);

static int open_live(struct pq_root *root, const char *path, uint64_t *opens,
		     struct pmuq_error **reterr)
{
	(void)path;
	return pq_root_open_live(root, opens, reterr);
}

static int open_source(open_root_fn *open_root, const char *path, struct pmuq_source **ret,
		       struct pmuq_error **reterr)
{
	cleanup(free_sourcep) struct pq_lazy *lazy = NULL;
	int r;

	if (!path)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the path of a directory or tar is NULL");
	lazy = new_lazy();
	if (!lazy)
		return pq_fail_memory(reterr);
	r = open_root(&lazy->root, path, &lazy->source.opens, reterr);
	if (r == 0)
		r = enter_devices(lazy, path, reterr);
	if (r < 0)
		return r;
	lazy->trusts_inodes = lazy->root.is_live && pq_root_is_sysfs(&lazy->root, lazy->devices);
	pq_host_init(&lazy->host, &lazy->reader);
	*ret = &move(lazy)->source;
	return 0;
}

PQ_API int pmuq_source_open_live(struct pmuq_source **ret, struct pmuq_error **reterr)
{
	return open_source(open_live, "/", ret, reterr);
}

PQ_API int pmuq_source_open_tree(const char *path, struct pmuq_source **ret,
				 struct pmuq_error **reterr)
{
	return open_source(pq_root_open_tree, path, ret, reterr);
}

PQ_API int pmuq_source_open_sysfs(const char *path, struct pmuq_source **ret,
				  struct pmuq_error **reterr)
{
	return open_source(pq_root_open_sysfs, path, ret, reterr);
}
