/* SPDX-License-Identifier: MIT */
/*
 * Questions about the machine as a whole: which PMUs there are, and which of them have an event.
 * The directory is listed at most once, and no file is opened but `alias`, when a name is no
 * directory's. Of a thousand PMUs only those are ordered, and asked whether they are core PMUs,
 * that are in the answer.
 */
#include "discover/lazy/lazy.h"

int pq_lazy_check(struct pq_lazy *lazy, struct pmuq_error **reterr)
{
	return pq_reader_check(&lazy->reader, reterr);
}

static const struct pq_def no_def;

/* Into `pmu`, which is zeroed; the name lives in the arena. */
static struct pq_lazy_pmu *add_pmu(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
				   struct pmuq_str name, enum pq_kind kind)
{
	if (!pmu)
		return NULL;
	pmu->pmu.name = name;
	pmu->pmu.def = &no_def;
	pmu->self = pmu;
	pmu->kind = kind;
	if (pq_cache_keep(&lazy->cache, NULL, PQ_ASKED_PMU, name, pmu))
		return pmu;
	lazy->reader.failed = true;
	return NULL;
}

/* Whether a directory is behind what stands under that name; as in the walk, one that may not be
 * read counts. */
static bool is_pmu(struct pq_lazy *lazy, struct pmuq_str name, enum pq_kind kind)
{
	auto_handle struct pq_handle at = PQ_NO_HANDLE;
	int r;

	if (lazy->root.is_live || kind != PQ_KIND_LINK)
		return kind == PQ_KIND_DIR || kind == PQ_KIND_LINK;
	r = pq_walk_enter(&lazy->root, lazy->devices, name, kind, &at);
	return r == 0 || r == -PMUQ_E_UNREADABLE;
}

/* NULL when there is none, or no memory. */
static struct pq_lazy_pmu *look_up_dir(struct pq_lazy *lazy, struct pmuq_str name)
{
	void *known = NULL;
	enum pq_kind kind;

	if (pq_cache_find(&lazy->cache, NULL, PQ_ASKED_PMU, name, &known) || lazy->is_listed)
		return known;
	name = pq_reader_copy(&lazy->reader, name);
	kind = pq_root_kind(&lazy->root, lazy->devices, name.p);
	if (!is_pmu(lazy, name, kind))
		return NULL;
	return add_pmu(lazy, pq_reader_array(&lazy->reader, 1, sizeof(struct pq_lazy_pmu)), name,
		       kind);
}

/* The entries as PMUs, those that were met before among them. */
static void take_entries(struct pq_lazy *lazy, struct pq_entries entries)
{
	const struct pmuq_pmu **v =
		pq_reader_array(&lazy->reader, entries.n, sizeof(const struct pmuq_pmu *));
	struct pq_lazy_pmu *new = pq_reader_array(&lazy->reader, entries.n, sizeof(*new));

	lazy->reader.failed |= !pq_cache_reserve(&lazy->cache, entries.n);
	for (size_t i = 0; v && new &&i < entries.n; i++) {
		struct pmuq_str name = entries.v[i].name;
		enum pq_kind kind = entries.v[i].kind;
		void *known = NULL;

		if (!pq_cache_find(&lazy->cache, NULL, PQ_ASKED_PMU, name, &known) &&
		    is_pmu(lazy, name, kind))
			known = add_pmu(lazy, &new[i], name, kind);
		if (known)
			v[lazy->found.n++] = &((struct pq_lazy_pmu *)known)->pmu;
	}
	lazy->found.v = v;
}

static int list_once(struct pq_lazy *lazy, struct pmuq_error **reterr)
{
	struct pq_entries entries = { 0 };
	auto_handle struct pq_handle at = PQ_NO_HANDLE;
	int r;

	if (lazy->is_listed)
		return 0;
	r = pq_root_enter_at(&lazy->root, lazy->devices, ".", false, &at);
	if (r == 0)
		r = pq_root_list(&lazy->root, at, &lazy->arena, &entries);
	if (r != 0)
		return pq_walk_fail(&lazy->root, r, reterr);
	lazy->found = (struct pq_pmu_list){ 0 };
	take_entries(lazy, entries);
	r = pq_lazy_check(lazy, reterr);
	lazy->is_listed = r == 0;
	return r;
}

static bool is_any(const struct pmuq_pmu *pmu)
{
	(void)pmu;
	return true;
}

static bool is_core(const struct pmuq_pmu *pmu)
{
	return pmu->is_core;
}

/* Asks each of the list whether it is a core PMU; those that fit, in order. */
static struct pq_pmu_list order(struct pq_lazy *lazy, struct pq_pmu_list list,
				bool (*fits)(const struct pmuq_pmu *pmu))
{
	const struct pmuq_pmu **v =
		pq_reader_array(&lazy->reader, list.n, sizeof(const struct pmuq_pmu *));
	size_t n = 0;

	for (size_t i = 0; v && i < list.n; i++) {
		pq_lazy_ask_core(lazy, pq_lazy_of_pmu(list.v[i]));
		if (fits(list.v[i]))
			v[n++] = list.v[i];
	}
	lazy->reader.failed |= !v || !pq_pmus_sort(v, n);
	return (struct pq_pmu_list){ .v = v, .n = n };
}

/* What was found as one of the lists that are kept. */
static int order_once(struct pq_lazy *lazy, bool (*fits)(const struct pmuq_pmu *pmu),
		      struct pq_pmu_list *list, bool *is_ordered, struct pmuq_error **reterr)
{
	int r;

	if (*is_ordered)
		return 0;
	r = list_once(lazy, reterr);
	if (r < 0)
		return r;
	*list = order(lazy, lazy->found, fits);
	r = pq_lazy_check(lazy, reterr);
	*is_ordered = r == 0;
	return r;
}

static int order_all(struct pq_lazy *lazy, struct pmuq_error **reterr)
{
	return order_once(lazy, is_any, &lazy->all, &lazy->is_ordered, reterr);
}

static int list_pmus(void *self, struct pq_pmu_list *ret, struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	int r = order_all(lazy, reterr);

	if (r == 0)
		*ret = lazy->all;
	return r;
}

static int core_pmus(void *self, struct pq_pmu_list *ret, struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	int r = order_once(lazy, is_core, &lazy->core, &lazy->knows_core, reterr);

	if (r == 0)
		*ret = lazy->core;
	return r;
}

/* Of two PMUs with one alias, the first in order has it. */
static int read_aliases(struct pq_lazy *lazy, struct pmuq_error **reterr)
{
	int r = lazy->knows_aliases ? 0 : order_all(lazy, reterr);

	for (size_t i = 0; r == 0 && !lazy->knows_aliases && i < lazy->all.n; i++) {
		struct pq_lazy_pmu *pmu = pq_lazy_of_pmu(lazy->all.v[i]);
		void *known;

		r = pq_lazy_read_alias(lazy, pmu, reterr);
		if (r < 0 || !pmu->pmu.alias.n ||
		    pq_cache_find(&lazy->cache, NULL, PQ_ASKED_ALIAS, pmu->pmu.alias, &known))
			continue;
		if (!pq_cache_add(&lazy->cache, NULL, PQ_ASKED_ALIAS, pmu->pmu.alias, pmu))
			r = pq_fail_memory(reterr);
	}
	lazy->knows_aliases |= r == 0;
	return r;
}

static int find_pmu(void *self, struct pmuq_str name, const struct pmuq_pmu **ret,
		    struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	struct pq_lazy_pmu *pmu;
	void *known = NULL;
	int r;

	pmu = pq_name_is_file(name) ? look_up_dir(lazy, name) : NULL;
	r = pq_lazy_check(lazy, reterr);
	if (r == 0 && !pmu) {
		r = read_aliases(lazy, reterr);
		if (r == 0 && pq_cache_find(&lazy->cache, NULL, PQ_ASKED_ALIAS, name, &known))
			pmu = known;
	}
	if (r < 0)
		return r;
	if (!pmu)
		return PQ_NONE;
	*ret = &pmu->pmu;
	return 0;
}

static struct pq_pmu_list *collect_having(struct pq_lazy *lazy, struct pmuq_str name)
{
	struct pq_pmu_list *list = pq_reader_array(&lazy->reader, 1, sizeof(*list));
	auto_free const struct pmuq_pmu **having = calloc(lazy->found.n + 1, sizeof(const void *));
	size_t n = 0;

	lazy->reader.failed |= !having;
	for (size_t i = 0; having && i < lazy->found.n; i++)
		if (pq_lazy_has_event(lazy, pq_lazy_of_pmu(lazy->found.v[i]), name))
			having[n++] = lazy->found.v[i];
	if (!list || !having)
		return NULL;
	*list = order(lazy, (struct pq_pmu_list){ .v = having, .n = n }, is_any);
	if (pq_reader_lacks(&lazy->reader))
		return NULL;
	if (pq_cache_add(&lazy->cache, NULL, PQ_ASKED_HAVING, name, list))
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
	if (!pq_name_is_file(name))
		return 0;
	if (pq_cache_find(&lazy->cache, NULL, PQ_ASKED_HAVING, name, &known)) {
		*ret = *(struct pq_pmu_list *)known;
		return 0;
	}
	r = list_once(lazy, reterr);
	if (r < 0)
		return r;
	list = collect_having(lazy, name);
	r = pq_lazy_check(lazy, reterr);
	if (r == 0)
		*ret = *list;
	return r;
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
};
