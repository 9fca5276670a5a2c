/* SPDX-License-Identifier: MIT */
/* Opens a machine, live or captured, as a source. Nothing is read of it yet. */
#include "discover/lazy.h"
#include <fcntl.h>

/* A machine of 10,000 PMUs needs a tenth of it; hostile input gets no further. */
#define SOURCE_MAX_BYTES ((size_t)256 << 20)

static void free_source(struct pmuq_source *source)
{
	struct pq_lazy *lazy = (struct pq_lazy *)source;

	pq_closep(&lazy->devices);
	pq_closep(&lazy->link);
	pq_closep(&lazy->tracefs);
	pq_root_close(&lazy->root);
	pq_cache_free(&lazy->cache);
	pq_arena_clear(&lazy->arena);
	free(lazy);
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

static struct pq_lazy *new_lazy(void)
{
	struct pq_lazy *lazy = calloc(1, sizeof(*lazy));

	if (!lazy)
		return NULL;
	lazy->root.fd = lazy->devices = lazy->link = lazy->tracefs = -1;
	pq_arena_init(&lazy->arena, NULL, 0, SOURCE_MAX_BYTES);
	lazy->reader = (struct pq_reader){ .root = &lazy->root, .arena = &lazy->arena };
	lazy->cache.arena = &lazy->arena;
	lazy->source.lookup = (struct pq_lookup){ .ops = &pq_lazy_ops, .self = lazy };
	lazy->source.read_catalog = read_catalog;
	lazy->source.free = free_source;
	return lazy;
}

static int enter_devices(struct pq_lazy *lazy, const char *dir, struct pmuq_error **reterr)
{
	int r = pq_root_enter(&lazy->root, PQ_DEVICES, &lazy->devices);

	if (r == 0)
		return 0;
	pq_fail(reterr, PMUQ_E_NO_ROOT, "'%s' holds no machine: %s %s", dir, PQ_DEVICES,
		r == PQ_NONE ? "is not there" : pq_root_why(r, lazy->root.errnum));
	pq_error_origin(reterr, str_of(dir));
	pq_error_errno(reterr, lazy->root.errnum);
	if (lazy->root.is_live)
		pq_error_hint(reterr, "is sysfs mounted, and perf built into this kernel?");
	else if (pq_root_kind(&lazy->root, lazy->root.fd, "bus") == PQ_KIND_DIR)
		pq_error_hint(reterr,
			      "this is a sysfs itself: give the directory that holds it as sys/");
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
	pq_host_init(&lazy->host, &lazy->reader);
	*ret = &move(lazy)->source;
	return 0;
}

PQ_API int pmuq_source_open_live(struct pmuq_source **ret, struct pmuq_error **reterr)
{
	return open_source(NULL, ret, reterr);
}

PQ_API int pmuq_source_open_tree(const char *dir, struct pmuq_source **ret,
				 struct pmuq_error **reterr)
{
	if (!dir)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "no directory was given");
	return open_source(dir, ret, reterr);
}
