/* SPDX-License-Identifier: MIT */
/*
 * Queries about the machine as a whole: which PMUs exist, and which of them have an event. The
 * directory is listed at most once. No file is opened except `alias`, if a name is not that of a
 * directory. Only the PMUs of a result are sorted and checked for being core PMUs, and of a PMU
 * without events only the name is kept until a query needs more.
 */
#include "discover/lazy/lazy.h"
#include "core/limits.h"
#include "discover/read/pmu.h"

#define NAMES_SEARCHED_MAX 2

void pq_lazy_reset(struct pq_lazy *lazy)
{
	static const struct pq_pmu_list none;

	lazy->link = lazy->tracefs = PQ_NO_HANDLE;
	lazy->link_of = NULL;
	lazy->is_tracefs_open = false;
	lazy->arena = PQ_ARENA(PQ_SOURCE_MAX_BYTES);
	lazy->reader = (struct pq_reader){ .root = &lazy->root, .arena = &lazy->arena };
	lazy->cache = (struct pq_cache){ .arena = &lazy->arena };
	memset(lazy->is_fact_read, 0, sizeof(lazy->is_fact_read));
	lazy->found = (struct pq_lazy_entries){ 0 };
	lazy->ordered[false] = lazy->ordered[true] = none;
	lazy->is_listed = lazy->is_ordered[false] = lazy->is_ordered[true] = false;
	lazy->are_aliases_read = false;
	lazy->last_names = NULL;
}

int pq_lazy_check(struct pq_lazy *lazy, struct pmuq_error **reterr)
{
	return pq_reader_check(&lazy->reader, reterr);
}

static const struct pq_def no_def = { .record = { .size = sizeof(no_def.record) } };

/* The name must live in the arena. NULL after a failure. */
static struct pq_lazy_pmu *add_pmu(struct pq_lazy *lazy, struct pmuq_str name,
				   enum pq_file_type type)
{
	struct pq_lazy_pmu *pmu = pq_reader_array(&lazy->reader, 1, sizeof(*pmu));

	if (!pmu)
		return NULL;
	pmu->self = pmu;
	pmu->pmu.size = sizeof(pmu->pmu);
	pmu->pmu.name = name;
	pmu->pmu.definition = &no_def.record;
	pmu->file_type = type;
	if (pq_cache_keep(&lazy->cache, NULL, PQ_CACHED_PMU, name, pmu))
		return pmu;
	lazy->reader.failed = true;
	return NULL;
}

/* As in the walk, one that cannot be read counts. */
static bool leads_to_dir(struct pq_lazy *lazy, struct pmuq_str name)
{
	auto_handle struct pq_handle at = PQ_NO_HANDLE;
	int r = pq_walk_enter(&lazy->root, lazy->devices, name, PQ_FILE_LINK, &at);

	return r == 0 || r == -PMUQ_E_UNREADABLE;
}

/* Whether it is a directory, or a symbolic link to one. */
static bool is_pmu(struct pq_lazy *lazy, struct pmuq_str name, enum pq_file_type type)
{
	if (type != PQ_FILE_LINK)
		return type == PQ_FILE_DIR;
	return lazy->root.is_live || leads_to_dir(lazy, name);
}

/* NULL after a failure. */
static struct pq_lazy_pmu *pmu_of(struct pq_lazy *lazy, struct pq_lazy_entry *entry)
{
	if (entry->pmu)
		return entry->pmu;
	entry->pmu = add_pmu(lazy, entry->name, entry->type);
	if (entry->pmu && entry->is_checked)
		pq_lazy_set_subdir(entry->pmu, PQ_SUBDIR_EVENTS, entry->has_events);
	return entry->pmu;
}

static struct pq_lazy_pmu *find_listed(struct pq_lazy *lazy, struct pmuq_str name)
{
	for (size_t i = 0; i < lazy->found.n; i++)
		if (str_eq(lazy->found.v[i].name, name))
			return pmu_of(lazy, &lazy->found.v[i]);
	return NULL;
}

/* NULL if there is no such directory, or on a resource error. */
static struct pq_lazy_pmu *find_dir(struct pq_lazy *lazy, struct pmuq_str name)
{
	void *known = NULL;
	enum pq_file_type type;

	if (pq_cache_find(&lazy->cache, NULL, PQ_CACHED_PMU, name, &known))
		return known;
	if (lazy->is_listed)
		return find_listed(lazy, name);
	name = pq_reader_copy(&lazy->reader, name);
	type = pq_root_file_type(&lazy->root, lazy->devices, name.p);
	return is_pmu(lazy, name, type) ? add_pmu(lazy, name, type) : NULL;
}

static void add_entries(struct pq_lazy *lazy, struct pq_entries entries)
{
	struct pq_lazy_entry *v;
	size_t n = 0;

	pq_arena_expect(&lazy->arena, entries.n * sizeof(*v));
	v = pq_reader_array(&lazy->reader, entries.n, sizeof(*v));
	for (size_t i = 0; v && i < entries.n; i++) {
		struct pmuq_str name = entries.v[i].name;
		enum pq_file_type type = entries.v[i].type;
		void *known = NULL;

		if (!pq_cache_find(&lazy->cache, NULL, PQ_CACHED_PMU, name, &known) &&
		    !is_pmu(lazy, name, type))
			continue;
		v[n].name = name;
		v[n].pmu = known;
		v[n++].type = type;
	}
	lazy->found = (struct pq_lazy_entries){ .v = v, .n = n };
}

/* Only a list that is complete is remembered; after a failure the next query tries again. */
static int list_once(struct pq_lazy *lazy, struct pmuq_error **reterr)
{
	struct pq_entries entries = { 0 };
	int r;

	if (lazy->is_listed)
		return 0;
	r = pq_walk_list(&lazy->root, lazy->devices, &lazy->arena, &entries, reterr);
	if (r < 0)
		return r;
	add_entries(lazy, entries);
	r = pq_lazy_check(lazy, reterr);
	lazy->is_listed = r == 0;
	return r;
}

/* The PMUs of the list, or only the core PMUs, sorted. Finds out which of them are core PMUs. */
static struct pq_pmu_list order(struct pq_lazy *lazy, struct pq_pmu_list list, bool is_core_only)
{
	const struct pmuq_pmu **v =
		pq_reader_array(&lazy->reader, list.n, sizeof(const struct pmuq_pmu *));
	size_t n = 0;

	for (size_t i = 0; v && i < list.n; i++) {
		pq_lazy_find_core(lazy, pq_lazy_pmu_of(list.v[i]));
		if (!is_core_only || list.v[i]->is_core)
			v[n++] = list.v[i];
	}
	lazy->reader.failed |= !v || !pq_pmus_sort(v, n);
	return (struct pq_pmu_list){ .v = v, .n = n };
}

/* For as many PMUs. It is not zeroed: what is not used is not touched. */
static const struct pmuq_pmu **list_for(size_t n)
{
	return malloc((n + 1) * sizeof(const struct pmuq_pmu *));
}

static struct pq_pmu_list order_found(struct pq_lazy *lazy, bool is_core_only)
{
	struct pq_lazy_entries found = lazy->found;
	auto_free const struct pmuq_pmu **v = list_for(found.n);
	size_t n = 0;

	lazy->reader.failed |= !v || (!is_core_only && !pq_cache_reserve(&lazy->cache, found.n));
	for (size_t i = 0; v && i < found.n; i++) {
		struct pq_lazy_pmu *pmu;

		if (is_core_only && !pq_pmu_name_may_be_core(found.v[i].name))
			continue;
		pmu = pmu_of(lazy, &found.v[i]);
		if (pmu)
			v[n++] = &pmu->pmu;
	}
	return order(lazy, (struct pq_pmu_list){ .v = v, .n = n }, is_core_only);
}

/* Fills one of the lists that are kept, from the PMUs that were found. */
static int order_once(struct pq_lazy *lazy, bool is_core_only, struct pmuq_error **reterr)
{
	int r;

	if (lazy->is_ordered[is_core_only])
		return 0;
	r = list_once(lazy, reterr);
	if (r < 0)
		return r;
	lazy->ordered[is_core_only] = order_found(lazy, is_core_only);
	r = pq_lazy_check(lazy, reterr);
	lazy->is_ordered[is_core_only] = r == 0;
	return r;
}

static int list_pmus(void *self, struct pq_pmu_list *ret, struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	int r = order_once(lazy, false, reterr);

	if (r == 0)
		*ret = lazy->ordered[false];
	return r;
}

static int core_pmus(void *self, struct pq_pmu_list *ret, struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	int r = order_once(lazy, true, reterr);

	if (r == 0)
		*ret = lazy->ordered[true];
	return r;
}

/* If two PMUs have the same alias, it belongs to the first in order. */
static int read_aliases(struct pq_lazy *lazy, struct pmuq_error **reterr)
{
	int r = lazy->are_aliases_read ? 0 : order_once(lazy, false, reterr);
	const struct pq_pmu_list *all = &lazy->ordered[false];

	for (size_t i = 0; r == 0 && !lazy->are_aliases_read && i < all->n; i++) {
		struct pq_lazy_pmu *pmu = pq_lazy_pmu_of(all->v[i]);
		void *known;

		r = pq_lazy_read_alias(lazy, pmu, reterr);
		if (r < 0 || !pmu->pmu.alias.n ||
		    pq_cache_find(&lazy->cache, NULL, PQ_CACHED_ALIAS, pmu->pmu.alias, &known))
			continue;
		if (!pq_cache_add(&lazy->cache, NULL, PQ_CACHED_ALIAS, pmu->pmu.alias, pmu))
			r = pq_fail_memory(reterr);
	}
	lazy->are_aliases_read |= r == 0;
	return r;
}

/* A directory of that name comes before an alias, as in the kernel's own listing. */
static int find_pmu(void *self, struct pmuq_str name, const struct pmuq_pmu **ret,
		    struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	struct pq_lazy_pmu *pmu;
	void *known = NULL;
	int r;

	pmu = pq_is_file_name(name) ? find_dir(lazy, name) : NULL;
	r = pq_lazy_check(lazy, reterr);
	if (r == 0 && !pmu) {
		r = read_aliases(lazy, reterr);
		if (r == 0 && pq_cache_find(&lazy->cache, NULL, PQ_CACHED_ALIAS, name, &known))
			pmu = known;
	}
	if (r < 0)
		return r;
	if (!pmu)
		return PQ_NONE;
	*ret = &pmu->pmu;
	return 0;
}

/* Whether no query has needed more of it than its name, and none needs more to search it. */
static bool is_only_name(const struct pq_lazy *lazy, const struct pq_lazy_entry *entry)
{
	return !entry->pmu && !pq_lazy_is_followed(lazy, entry->type);
}

/* The same question for a PMU is pq_lazy_has_subdir(). */
static bool has_events(struct pq_lazy *lazy, struct pq_lazy_entry *entry)
{
	if (!entry->is_checked) {
		entry->has_events = pq_lazy_events_type(lazy, entry->name, STR("")) == PQ_FILE_DIR;
		entry->is_checked = !pq_reader_has_failed(&lazy->reader);
	}
	return entry->has_events;
}

/* The same for pq_lazy_has_event(). */
static bool has_event(struct pq_lazy *lazy, struct pq_lazy_entry *entry,
		      const struct pq_event_files *files)
{
	for (size_t i = 0; i < files->n && has_events(lazy, entry); i++)
		if (pq_lazy_events_type(lazy, entry->name, files->v[i]) == PQ_FILE_REGULAR)
			return true;
	return false;
}

/* To list all directories costs as much as to search them for a few names. If one cannot be listed,
 * the others need not be, and names are searched for as before. */
static void list_names(struct pq_lazy *lazy)
{
	struct pq_names names;

	if (lazy->n_searched++ != NAMES_SEARCHED_MAX)
		return;
	for (size_t i = 0; i < lazy->found.n; i++) {
		struct pq_lazy_entry *entry = &lazy->found.v[i];
		const struct pq_lazy_pmu *pmu = NULL;

		if (!is_only_name(lazy, entry) || has_events(lazy, entry))
			pmu = pmu_of(lazy, entry);
		if (pmu && pq_lazy_event_names(lazy, &pmu->pmu, &names, NULL) < 0)
			return;
	}
}

/* The PMUs that have the event; returns how many. */
static size_t search(struct pq_lazy *lazy, struct pmuq_str name, const struct pmuq_pmu **ret)
{
	const struct pq_names *names = NULL; /* of the PMU before */
	struct pq_event_files files;
	bool has_it = false;
	size_t n = 0;

	pq_lazy_find_files(name, &files);
	for (size_t i = 0; i < lazy->found.n; i++) {
		struct pq_lazy_entry *entry = &lazy->found.v[i];
		bool is_found = is_only_name(lazy, entry);
		struct pq_lazy_pmu *pmu;

		if (is_found && !has_event(lazy, entry, &files))
			continue;
		pmu = pmu_of(lazy, entry);
		if (!pmu)
			continue;
		/* PMUs that share an array of names have the same events. */
		if (!pmu->event_names || pmu->event_names != names)
			has_it = is_found || pq_lazy_has_event(lazy, pmu, &files);
		names = pmu->event_names;
		if (has_it)
			ret[n++] = &pmu->pmu;
	}
	return n;
}

/* To encode an event on a PMU takes four entries (itself, the event, two formats) and half a
 * kibibyte. */
static void expect_queries(struct pq_lazy *lazy, size_t n_pmus)
{
	(void)pq_cache_reserve(&lazy->cache, 4 * n_pmus);
	pq_arena_expect(&lazy->arena, 512 * n_pmus);
}

/* NULL after a resource error: PMUs whose directory could not be read would be missing in the
 * list. */
static struct pq_pmu_list *find_having(struct pq_lazy *lazy, struct pmuq_str name)
{
	struct pq_pmu_list *list = pq_reader_array(&lazy->reader, 1, sizeof(*list));
	auto_free const struct pmuq_pmu **having = list_for(lazy->found.n);
	struct pq_pmu_list unordered = { .v = having };

	lazy->reader.failed |= !having;
	if (!list || !having)
		return NULL;
	unordered.n = search(lazy, name, having);
	expect_queries(lazy, unordered.n);
	*list = order(lazy, unordered, false);
	if (pq_reader_has_failed(&lazy->reader))
		return NULL;
	if (pq_cache_add(&lazy->cache, NULL, PQ_CACHED_HAVING, name, list))
		return list;
	lazy->reader.failed = true;
	return NULL;
}

static int find_event(void *self, struct pmuq_str name, struct pq_pmu_list *ret,
		      struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	struct pq_pmu_list *list;
	void *known = NULL;
	int r;

	*ret = (struct pq_pmu_list){ 0 };
	if (!pq_is_file_name(name))
		return 0;
	if (pq_cache_find(&lazy->cache, NULL, PQ_CACHED_HAVING, name, &known)) {
		*ret = *(struct pq_pmu_list *)known;
		return 0;
	}
	r = list_once(lazy, reterr);
	if (r < 0)
		return r;
	list_names(lazy);
	list = find_having(lazy, name);
	r = pq_lazy_check(lazy, reterr);
	if (r == 0)
		*ret = *list;
	return r;
}

static bool is_live(const void *self)
{
	return ((const struct pq_lazy *)self)->root.is_live;
}

const struct pq_lookup_ops pq_lazy_ops = {
	.find_pmu = find_pmu,
	.list_pmus = list_pmus,
	.core_pmus = core_pmus,
	.find_event = find_event,
	.fill = pq_lazy_fill,
	.load = pq_lazy_load,
	.format = pq_lazy_format,
	.event = pq_lazy_event,
	.event_names = pq_lazy_event_names,
	.cap = pq_lazy_cap,
	.fact = pq_lazy_fact,
	.tracepoint = pq_lazy_tracepoint,
	.list_tracepoints = pq_lazy_list_tracepoints,
	.is_live = is_live,
};
