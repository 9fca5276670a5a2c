/* SPDX-License-Identifier: MIT */
/* Questions about one PMU: each reads the file that answers it, once. */
#include "core/catalog/intern.h"
#include "discover/lazy/lazy.h"

#define LOAD_MAX_BYTES ((size_t)256 << 20)

static bool is_followed(const struct pq_lazy *lazy, const struct pq_lazy_pmu *pmu)
{
	return !lazy->root.is_live && pmu->kind == PQ_KIND_LINK;
}

static const struct pmuq_str subs[] = {
	[PQ_SUB_OWN] = STR(""),
	[PQ_SUB_FORMAT] = STR("format"),
	[PQ_SUB_EVENTS] = STR("events"),
	[PQ_SUB_CAPS] = STR("caps"),
};

/* The PMU's own directory. */
static int own_dir(struct pq_lazy *lazy, const struct pq_lazy_pmu *pmu, struct pq_dir *ret)
{
	int r = 0;

	*ret = (struct pq_dir){ .at = lazy->devices, .pmu = pmu->pmu.name };
	if (!is_followed(lazy, pmu))
		return 0;
	if (lazy->link_of != pmu) {
		pq_handle_close(&lazy->link);
		lazy->link_of = NULL;
		r = pq_walk_enter(&lazy->root, lazy->devices, pmu->pmu.name, pmu->kind,
				  &lazy->link);
	}
	if (r != 0)
		return PQ_NONE;
	lazy->link_of = pmu;
	ret->at = lazy->link;
	ret->place = PQ_AT_PMU;
	return 0;
}

bool pq_lazy_has_sub(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, enum pq_sub sub)
{
	uint8_t bit = (uint8_t)(1u << sub);

	bool is_there;

	if (pmu->knows_subs & bit)
		return pmu->has_subs & bit;
	is_there = pq_lazy_kind(lazy, pmu, PQ_SUB_OWN, subs[sub]) == PQ_KIND_DIR;
	if (pq_reader_lacks(&lazy->reader))
		return is_there;
	pmu->knows_subs |= bit;
	pmu->has_subs |= is_there ? bit : 0;
	return is_there;
}

/* On a live machine it is the kernel's to know that it is a directory. */
int pq_lazy_dir(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, enum pq_sub sub, struct pq_dir *ret)
{
	if (sub != PQ_SUB_OWN && !lazy->root.is_live && !pq_lazy_has_sub(lazy, pmu, sub))
		return PQ_NONE;
	if (own_dir(lazy, pmu, ret) != 0)
		return PQ_NONE;
	ret->sub = subs[sub];
	return 0;
}

enum pq_kind pq_lazy_kind(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, enum pq_sub sub,
			  struct pmuq_str name)
{
	struct pq_dir dir;

	if (pq_lazy_dir(lazy, pmu, sub, &dir) != 0)
		return PQ_KIND_NONE;
	return pq_root_kind(&lazy->root, dir.at, pq_dir_path(&lazy->root, &dir, name));
}

int pq_lazy_read_alias(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_error **reterr)
{
	struct pmuq_str alias = { 0 };
	struct pq_dir dir;
	int r;

	if (pmu->knows_alias)
		return 0;
	if (pq_lazy_dir(lazy, pmu, PQ_SUB_OWN, &dir) == 0)
		alias = pq_pmu_read_line(&lazy->reader, &dir, STR("alias"));
	r = pq_lazy_check(lazy, reterr);
	if (r < 0)
		return r;
	pmu->pmu.alias = alias;
	pmu->knows_alias = true;
	return 0;
}

void pq_lazy_ask_core(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu)
{
	if (pmu->is_filled || pmu->knows_cpus_file)
		return;
	pmu->has_cpus_file = pq_lazy_kind(lazy, pmu, PQ_SUB_OWN, STR("cpus")) == PQ_KIND_FILE;
	pmu->knows_cpus_file = !pq_reader_lacks(&lazy->reader);
	pmu->pmu.is_core = pq_pmu_name_is_core(pmu->pmu.name, pmu->has_cpus_file);
}

/* What reading the type gave. */
static int read_own(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, const struct pq_dir *dir)
{
	struct pq_pmu_draft draft = { .name = pmu->pmu.name };
	int r = pq_pmu_read_type(&lazy->reader, dir, &draft);

	pmu->pmu.type = draft.type;
	pmu->pmu.has_type = draft.has_type;
	pmu->pmu.cpumask = pq_pmu_read_line(&lazy->reader, dir, STR("cpumask"));
	if (pmu->has_cpus_file || !pmu->knows_cpus_file)
		pmu->pmu.cpus_file = pq_pmu_read_line(&lazy->reader, dir, STR("cpus"));
	return r;
}

static bool is_gone(struct pq_lazy *lazy, const struct pq_lazy_pmu *pmu)
{
	return pq_root_kind(&lazy->root, lazy->devices, pmu->pmu.name.p) == PQ_KIND_NONE;
}

/* Which CPUs are online is asked only for a PMU that does not say where it counts. */
static int settle(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_error **reterr)
{
	struct pmuq_str own = pmu->pmu.cpumask.p ? pmu->pmu.cpumask : pmu->pmu.cpus_file;
	struct pmuq_str online = { 0 };
	int r = own.n ? 0 : pq_lazy_fact(lazy, PQ_CLASS_CPUS_ONLINE, &online, reterr);

	if (r < 0)
		return r;
	pq_pmu_finalize(&pmu->pmu, online);
	return 0;
}

int pq_lazy_fill(void *self, const struct pmuq_pmu *asked, struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	struct pq_lazy_pmu *pmu = pq_lazy_of_pmu(asked);
	struct pq_dir dir;
	int r = PQ_NONE;
	bool gone;

	if (pmu->is_filled)
		return 0;
	if (pq_lazy_dir(lazy, pmu, PQ_SUB_OWN, &dir) == 0)
		r = read_own(lazy, pmu, &dir);
	else
		pmu->pmu.has_type = pq_pmu_known_type(pmu->pmu.name, &pmu->pmu.type);
	gone = r == PQ_NONE && is_gone(lazy, pmu);
	r = pq_lazy_check(lazy, reterr);
	if (r == 0 && gone)
		return pq_fail(reterr, PMUQ_E_STALE_SOURCE, "the PMU '%s' is gone",
			       pmu->pmu.name.p);
	if (r == 0)
		r = settle(lazy, pmu, reterr);
	pmu->is_filled = r == 0;
	return r;
}

/* As the catalog would define it, so that both have the same. */
static bool define(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pq_pmu_draft *draft)
{
	struct pq_def content = pq_draft_content(draft);
	const struct pq_def *def = pq_def_copy(&lazy->arena, &content, pq_def_hash(&content));

	pmu->pmu.attributes = pq_pairs_copy(&lazy->arena, draft->attributes, draft->n_attributes);
	if (!def || !pmu->pmu.attributes)
		return false;
	pmu->pmu.n_attributes = draft->n_attributes;
	pmu->pmu.def = def;
	return true;
}

static int load_from(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pq_handle at,
		     struct pmuq_error **reterr)
{
	struct pq_pmu_draft draft = { .name = pmu->pmu.name };
	struct pq_arena scratch;
	struct pq_reader reader = { .root = &lazy->root, .arena = &scratch };
	int r;

	pq_arena_init(&scratch, NULL, 0, LOAD_MAX_BYTES);
	if (pq_handle_is_open(at))
		pq_pmu_read_rest(&reader, at, &draft);
	r = pq_reader_check(&reader, reterr);
	if (r == 0 && !define(lazy, pmu, &draft))
		r = pq_fail_memory(reterr);
	pq_arena_clear(&scratch);
	return r;
}

int pq_lazy_load(void *self, const struct pmuq_pmu *asked, struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	struct pq_lazy_pmu *pmu = pq_lazy_of_pmu(asked);
	auto_handle struct pq_handle at = PQ_NO_HANDLE;
	int r = pq_lazy_fill(self, asked, reterr);

	if (r == 0)
		r = pq_lazy_read_alias(lazy, pmu, reterr);
	if (r < 0 || pmu->is_loaded)
		return r;
	pq_walk_enter(&lazy->root, lazy->devices, pmu->pmu.name, pmu->kind, &at);
	r = load_from(lazy, pmu, at, reterr);
	pmu->is_loaded = r == 0;
	return r;
}

/* Remembers an answer that was read; NULL for "it is not there", or for one that is none, because
 * something was lacking. */
static void *remember(struct pq_lazy *lazy, const struct pq_lazy_pmu *pmu, enum pq_asked kind,
		      struct pmuq_str name, const void *answer, size_t bytes)
{
	void *kept = answer ? pq_reader_array(&lazy->reader, 1, bytes) : NULL;

	if (pq_reader_lacks(&lazy->reader))
		return NULL;
	if (kept)
		memcpy(kept, answer, bytes);
	if (!pq_cache_add(&lazy->cache, pmu, kind, name, kept))
		lazy->reader.failed = true;
	return kept;
}

static const struct pmuq_format *find_format(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
					     struct pmuq_str name)
{
	struct pmuq_format format;
	struct pq_dir dir;
	void *known;
	bool is_there;

	if (pq_cache_find(&lazy->cache, pmu, PQ_ASKED_FORMAT, name, &known))
		return known;
	if (pmu->is_loaded)
		return pq_map_find(&pmu->pmu.def->formats_by_name, pmu->pmu.def->formats,
				   sizeof(*pmu->pmu.def->formats), name);
	is_there = pq_lazy_dir(lazy, pmu, PQ_SUB_FORMAT, &dir) == 0 &&
		   pq_format_read(&lazy->reader, &dir, name, &format);
	return remember(lazy, pmu, PQ_ASKED_FORMAT, name, is_there ? &format : NULL,
			sizeof(format));
}

int pq_lazy_format(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		   const struct pmuq_format **ret, struct pmuq_error **reterr)
{
	const struct pmuq_format *format;
	int r;

	if (!pq_name_is_file(name))
		return PQ_NONE;
	format = find_format(self, pq_lazy_of_pmu(pmu), name);
	r = pq_lazy_check(self, reterr);
	if (r < 0 || !format)
		return r < 0 ? r : PQ_NONE;
	*ret = format;
	return 0;
}

/* What is known of a file without looking: false when it must be looked for. */
static bool knows_event(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_str file,
			const struct pmuq_event **ret)
{
	void *known = NULL;

	*ret = NULL;
	if (pq_event_is_companion(file))
		return true;
	if (pq_cache_find(&lazy->cache, pmu, PQ_ASKED_EVENT, file, &known)) {
		*ret = known;
		return true;
	}
	if (pmu->is_loaded)
		*ret = pq_map_find(&pmu->pmu.def->events_by_name, pmu->pmu.def->events,
				   sizeof(*pmu->pmu.def->events), file);
	return pmu->is_loaded || !pq_lazy_has_sub(lazy, pmu, PQ_SUB_EVENTS);
}

bool pq_lazy_has_event(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_str name)
{
	char room[2 * PQ_NAME_MAX_BYTES];
	struct pmuq_str spellings[3];
	size_t n = pq_event_spellings(name, room, spellings);

	for (size_t i = 0; i < n; i++) {
		const struct pmuq_event *event;
		bool is_there = knows_event(lazy, pmu, spellings[i], &event)
					? event != NULL
					: pq_lazy_kind(lazy, pmu, PQ_SUB_EVENTS, spellings[i]) ==
						  PQ_KIND_FILE;

		if (is_there)
			return true;
	}
	return false;
}

static const struct pmuq_event *find_event(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
					   struct pmuq_str file)
{
	const struct pmuq_event *known;
	struct pmuq_event event;
	struct pq_dir dir;
	bool is_there;

	if (knows_event(lazy, pmu, file, &known))
		return known;
	is_there = pq_lazy_dir(lazy, pmu, PQ_SUB_EVENTS, &dir) == 0 &&
		   pq_event_read(&lazy->reader, &dir, file, PQ_HAS_ANY, &event);
	return remember(lazy, pmu, PQ_ASKED_EVENT, file, is_there ? &event : NULL, sizeof(event));
}

int pq_lazy_event(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		  const struct pmuq_event **ret, struct pmuq_error **reterr)
{
	char room[2 * PQ_NAME_MAX_BYTES];
	struct pmuq_str spellings[3];
	const struct pmuq_event *event = NULL;
	size_t n = pq_name_is_file(name) ? pq_event_spellings(name, room, spellings) : 0;
	int r;

	for (size_t i = 0; !event && i < n; i++)
		event = find_event(self, pq_lazy_of_pmu(pmu), spellings[i]);
	r = pq_lazy_check(self, reterr);
	if (r < 0 || !event)
		return r < 0 ? r : PQ_NONE;
	*ret = event;
	return 0;
}

static const struct pq_pair *loaded_cap(const struct pq_lazy_pmu *pmu, struct pmuq_str name)
{
	const struct pq_def *def = pmu->pmu.def;

	for (size_t i = 0; i < def->n_caps; i++)
		if (str_eq(def->caps[i].name, name))
			return &def->caps[i];
	return NULL;
}

static const struct pq_pair *find_cap(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
				      struct pmuq_str name)
{
	struct pq_pair cap;
	struct pq_dir dir;
	void *known;
	bool is_there;

	if (pq_cache_find(&lazy->cache, pmu, PQ_ASKED_CAP, name, &known))
		return known;
	if (pmu->is_loaded)
		return loaded_cap(pmu, name);
	is_there = pq_lazy_dir(lazy, pmu, PQ_SUB_CAPS, &dir) == 0 &&
		   pq_cap_read(&lazy->reader, &dir, name, &cap);
	return remember(lazy, pmu, PQ_ASKED_CAP, name, is_there ? &cap : NULL, sizeof(cap));
}

int pq_lazy_cap(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name, struct pmuq_str *ret,
		struct pmuq_error **reterr)
{
	const struct pq_pair *cap;
	int r;

	if (!pq_name_is_file(name))
		return PQ_NONE;
	cap = find_cap(self, pq_lazy_of_pmu(pmu), name);
	r = pq_lazy_check(self, reterr);
	if (r < 0 || !cap)
		return r < 0 ? r : PQ_NONE;
	*ret = cap->text;
	return 0;
}
