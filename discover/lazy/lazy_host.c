/* SPDX-License-Identifier: MIT */
/* Queries about the host: facts and tracepoints, each read once. */
#include "core/vec.h"
#include "discover/lazy/lazy.h"
#include "discover/read/tracefs.h"

/* The types of the core PMUs, which only the probe of the kernel needs. */
static int find_core_types(struct pq_lazy *lazy, struct pmuq_error **reterr)
{
	struct pq_pmu_list core;
	uint32_t *types;
	int r = lazy->source.lookup.ops->core_pmus(lazy, &core, reterr);

	if (r < 0)
		return r;
	types = pq_reader_array(&lazy->reader, core.n, sizeof(*types));
	lazy->host.core_types = types;
	lazy->host.n_core_types = 0;
	for (size_t i = 0; types && r == 0 && i < core.n; i++) {
		r = pq_lazy_fill(lazy, core.v[i], reterr);
		if (r == 0 && core.v[i]->has_type)
			types[lazy->host.n_core_types++] = core.v[i]->type;
	}
	return r;
}

static int read_fact(struct pq_lazy *lazy, enum pq_fact fact, struct pmuq_error **reterr)
{
	int r = 0;

	if (lazy->root.is_live && fact == PQ_FACT_EXTENDED_TYPE)
		r = find_core_types(lazy, reterr);
	if (r == 0)
		lazy->facts[fact] = pq_host_fact(&lazy->host, fact);
	if (r == 0)
		r = pq_lazy_check(lazy, reterr);
	lazy->is_fact_read[fact] = r == 0;
	return r;
}

/* An empty text means "not known", which is stored, too. */
static int get_fact(struct pq_lazy *lazy, enum pq_fact fact, struct pmuq_str *ret,
		    struct pmuq_error **reterr)
{
	int r = lazy->is_fact_read[fact] ? 0 : read_fact(lazy, fact, reterr);

	if (r < 0)
		return r;
	if (!lazy->facts[fact].n)
		return PQ_NONE;
	*ret = lazy->facts[fact];
	return 0;
}

int pq_lazy_fact(void *self, enum pq_class_fact fact, struct pmuq_str *ret,
		 struct pmuq_error **reterr)
{
	return get_fact(self, (enum pq_fact)fact, ret, reterr);
}

int pq_lazy_find_fact(struct pmuq_source *source, const char *name, const char **ret,
		      struct pmuq_error **reterr)
{
	enum pq_fact fact = pq_fact_find(str_of(name));
	struct pmuq_str text = { 0 };
	int r = fact == PQ_FACT_COUNT ? PQ_NONE
				      : get_fact((struct pq_lazy *)source, fact, &text, reterr);

	*ret = text.p;
	return r < 0 ? r : 0;
}

/* Not open if it is not mounted, or not readable. */
static struct pq_handle open_tracefs(struct pq_lazy *lazy)
{
	if (lazy->is_tracefs_open)
		return lazy->tracefs;
	lazy->tracefs = pq_tracefs_open(&lazy->reader);
	lazy->is_tracefs_open = !pq_reader_has_failed(&lazy->reader);
	if (!lazy->is_tracefs_open)
		pq_handle_close(&lazy->tracefs);
	return lazy->tracefs;
}

/* NULL if there is none, or its id cannot be read: only root may. */
static struct pmuq_tracepoint *read_tracepoint(struct pq_lazy *lazy, struct pmuq_str subsystem,
					       struct pmuq_str name)
{
	struct pmuq_tracepoint *tracepoint;
	uint64_t id;

	if (!pq_handle_is_open(open_tracefs(lazy)) ||
	    pq_tracefs_read_id(&lazy->reader, lazy->tracefs, subsystem, name, &id) != 0)
		return NULL;
	tracepoint = pq_reader_array(&lazy->reader, 1, sizeof(*tracepoint));
	if (tracepoint)
		*tracepoint = (struct pmuq_tracepoint){
			.subsystem = pq_reader_copy(&lazy->reader, subsystem),
			.name = pq_reader_copy(&lazy->reader, name),
			.id = id,
		};
	return tracepoint;
}

/* The key is "subsystem/name", which is unique. */
static const struct pmuq_tracepoint *
find_tracepoint(struct pq_lazy *lazy, struct pmuq_str subsystem, struct pmuq_str name)
{
	cleanup(pq_buf_free) struct pq_buf key = PQ_BUF_NULL;
	void *cached = NULL;

	pq_buf_add(&key, subsystem);
	pq_buf_char(&key, '/', 1);
	pq_buf_add(&key, name);
	if (pq_cache_find(&lazy->cache, NULL, PQ_CACHED_TRACEPOINT, pq_buf_str(&key), &cached))
		return cached;
	cached = read_tracepoint(lazy, subsystem, name);
	lazy->reader.failed |= key.failed;
	if (!pq_reader_has_failed(&lazy->reader) &&
	    !pq_cache_add(&lazy->cache, NULL, PQ_CACHED_TRACEPOINT, pq_buf_str(&key), cached))
		lazy->reader.failed = true;
	return cached;
}

int pq_lazy_tracepoint(void *self, struct pmuq_str subsystem, struct pmuq_str name,
		       uint64_t *ret_id, struct pmuq_error **reterr)
{
	const struct pmuq_tracepoint *tracepoint;
	int r;

	if (!pq_is_file_name(subsystem) || !pq_is_file_name(name))
		return PQ_NONE;
	tracepoint = find_tracepoint(self, subsystem, name);
	r = pq_lazy_check(self, reterr);
	if (r < 0 || !tracepoint)
		return r < 0 ? r : PQ_NONE;
	*ret_id = tracepoint->id;
	return 0;
}

/* The tracepoints of a subsystem; with "" the subsystems. */
static struct pq_entries list_names(struct pq_lazy *lazy, struct pmuq_str subsystem)
{
	struct pq_entries *entries;
	void *cached;

	if (!pq_handle_is_open(open_tracefs(lazy)))
		return (struct pq_entries){ 0 };
	if (pq_cache_find(&lazy->cache, NULL, PQ_CACHED_SUBSYSTEM, subsystem, &cached))
		return *(struct pq_entries *)cached;
	entries = pq_reader_array(&lazy->reader, 1, sizeof(*entries));
	if (!entries)
		return (struct pq_entries){ 0 };
	*entries = pq_tracefs_list(&lazy->reader, lazy->tracefs, subsystem);
	if (!pq_reader_has_failed(&lazy->reader) &&
	    !pq_cache_add(&lazy->cache, NULL, PQ_CACHED_SUBSYSTEM, subsystem, entries))
		lazy->reader.failed = true;
	return *entries;
}

/* Of globs, before they are copied to the arena of the caller. */
struct matches {
	PQ_VEC(const struct pmuq_tracepoint *);
};

static void match_names(struct pq_lazy *lazy, struct pmuq_str subsystem, struct pmuq_str glob,
			struct matches *matches)
{
	struct pq_entries names = list_names(lazy, subsystem);

	for (size_t i = 0; i < names.n; i++) {
		const struct pmuq_tracepoint *tracepoint;

		if (!str_glob(glob, names.v[i].name))
			continue;
		tracepoint = find_tracepoint(lazy, subsystem, names.v[i].name);
		if (tracepoint && !pq_vec_push(matches, tracepoint))
			lazy->reader.failed = true;
	}
}

int pq_lazy_list_tracepoints(void *self, struct pq_arena *arena, struct pmuq_str subsystems,
			     struct pmuq_str names, struct pq_tracepoint_list *ret,
			     struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	struct pq_entries all = list_names(lazy, STR(""));
	auto_vec struct matches matches = { 0 };
	const struct pmuq_tracepoint **v;
	int r;

	for (size_t i = 0; i < all.n; i++)
		if (str_glob(subsystems, all.v[i].name))
			match_names(lazy, all.v[i].name, names, &matches);
	v = pq_arena_array(arena, matches.n, sizeof(const void *));
	lazy->reader.failed |= !v;
	if (v && matches.n)
		memcpy(v, matches.v, matches.n * sizeof(*v));
	r = pq_lazy_check(lazy, reterr);
	if (r == 0)
		*ret = (struct pq_tracepoint_list){ .v = v, .n = matches.n };
	return r;
}
