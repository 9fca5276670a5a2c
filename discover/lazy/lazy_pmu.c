/* SPDX-License-Identifier: MIT */
/*
 * Queries about one PMU. Each reads the files that it needs, once: a PMU is filled (type and CPUs),
 * then loaded (everything), or single formats, events and caps are read and cached.
 */
#include "core/catalog/intern.h"
#include "core/limits.h"
#include "discover/lazy/lazy.h"
#include "discover/read/definition.h"
#include "discover/read/pmu.h"

bool pq_lazy_is_followed(const struct pq_lazy *lazy, enum pq_file_type type)
{
	return !lazy->root.is_live && type == PQ_FILE_LINK;
}

static const struct pmuq_str subdirs[] = {
	[PQ_SUBDIR_NONE] = STR(""),
	[PQ_SUBDIR_FORMAT] = STR("format"),
	[PQ_SUBDIR_EVENTS] = STR("events"),
	[PQ_SUBDIR_CAPS] = STR("caps"),
};

/* The PMU's own directory. */
static int own_dir(struct pq_lazy *lazy, const struct pq_lazy_pmu *pmu, struct pq_dir *ret)
{
	int r = 0;

	*ret = (struct pq_dir){ .at = lazy->devices, .pmu = pmu->pmu.name };
	if (!pq_lazy_is_followed(lazy, pmu->file_type))
		return 0;
	if (lazy->link_of != pmu) {
		pq_handle_close(&lazy->link);
		lazy->link_of = NULL;
		r = pq_walk_enter(&lazy->root, lazy->devices, pmu->pmu.name, pmu->file_type,
				  &lazy->link);
	}
	if (r != 0)
		return PQ_NONE;
	lazy->link_of = pmu;
	ret->at = lazy->link;
	ret->scope = PQ_SCOPE_PMU;
	return 0;
}

int pq_lazy_find_dir(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, enum pq_subdir subdir,
		     struct pq_dir *ret)
{
	if (subdir != PQ_SUBDIR_NONE && !lazy->root.is_live &&
	    !pq_lazy_has_subdir(lazy, pmu, subdir))
		return PQ_NONE;
	if (own_dir(lazy, pmu, ret) != 0)
		return PQ_NONE;
	ret->sub = subdirs[subdir];
	return 0;
}

/* PQ_FILE_NONE also if the PMU is gone. */
static enum pq_file_type file_type(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
				   enum pq_subdir subdir, struct pmuq_str name)
{
	struct pq_dir dir;

	if (pq_lazy_find_dir(lazy, pmu, subdir, &dir) != 0)
		return PQ_FILE_NONE;
	return pq_root_file_type(&lazy->root, dir.at, pq_dir_path(&lazy->root, &dir, name));
}

void pq_lazy_set_subdir(struct pq_lazy_pmu *pmu, enum pq_subdir subdir, bool exists)
{
	uint8_t bit = (uint8_t)(1u << subdir);

	pmu->checked_subdirs |= bit;
	pmu->subdirs |= exists ? bit : 0;
}

bool pq_lazy_has_subdir(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, enum pq_subdir subdir)
{
	uint8_t bit = (uint8_t)(1u << subdir);
	bool exists;

	if (pmu->checked_subdirs & bit)
		return pmu->subdirs & bit;
	exists = file_type(lazy, pmu, PQ_SUBDIR_NONE, subdirs[subdir]) == PQ_FILE_DIR;
	if (!pq_reader_has_failed(&lazy->reader))
		pq_lazy_set_subdir(pmu, subdir, exists);
	return exists;
}

enum pq_file_type pq_lazy_events_type(struct pq_lazy *lazy, struct pmuq_str pmu,
				      struct pmuq_str name)
{
	const char *path = pq_pmu_file(&lazy->root, pmu, subdirs[PQ_SUBDIR_EVENTS], name);

	return pq_root_file_type(&lazy->root, lazy->devices, path);
}

int pq_lazy_read_alias(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_error **reterr)
{
	struct pmuq_str alias = { 0 };
	struct pq_dir dir;
	int r;

	if (pmu->has_alias)
		return 0;
	if (pq_lazy_find_dir(lazy, pmu, PQ_SUBDIR_NONE, &dir) == 0)
		alias = pq_pmu_read_line(&lazy->reader, &dir, STR("alias"));
	r = pq_lazy_check(lazy, reterr);
	if (r < 0)
		return r;
	pmu->pmu.alias = alias;
	pmu->has_alias = true;
	return 0;
}

void pq_lazy_find_core(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu)
{
	/* Hundreds of PMUs need no look at their directories. */
	if (pmu->is_filled || pmu->is_core_known || !pq_pmu_name_may_be_core(pmu->pmu.name))
		return;
	pmu->has_cpus_file = file_type(lazy, pmu, PQ_SUBDIR_NONE, STR("cpus")) == PQ_FILE_REGULAR;
	pmu->is_core_known = !pq_reader_has_failed(&lazy->reader);
	pmu->pmu.is_core = pq_pmu_name_is_core(pmu->pmu.name, pmu->has_cpus_file);
}

/* A thousand uncore PMUs have a cpumask, which is the CPUs of a PMU that is not a core PMU. */
static bool needs_cpus_file(const struct pq_lazy_pmu *pmu)
{
	if (pmu->is_core_known)
		return pmu->has_cpus_file;
	return !pmu->pmu.cpumask.n || pq_pmu_name_may_be_core(pmu->pmu.name);
}

/* Returns what pq_dir_read() returned for the type. */
static int read_members(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, const struct pq_dir *dir)
{
	struct pq_pmu_draft draft = { .name = pmu->pmu.name };
	int r = pq_pmu_read_type(&lazy->reader, dir, &draft);

	pmu->pmu.type = draft.type;
	pmu->pmu.has_type = draft.has_type;
	pmu->pmu.cpumask = pq_pmu_read_line(&lazy->reader, dir, STR("cpumask"));
	if (needs_cpus_file(pmu))
		pmu->pmu.cpus_file = pq_pmu_read_line(&lazy->reader, dir, STR("cpus"));
	return r;
}

/* Distinguishes a PMU that was removed from a PMU without that file. */
static bool is_gone(struct pq_lazy *lazy, const struct pq_lazy_pmu *pmu)
{
	return pq_root_file_type(&lazy->root, lazy->devices, pmu->pmu.name.p) == PQ_FILE_NONE;
}

/* The fact cpus_online is read only for a PMU that has no CPUs of its own. */
static int finalize(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_error **reterr)
{
	struct pmuq_str own = pmu->pmu.cpumask.p ? pmu->pmu.cpumask : pmu->pmu.cpus_file;
	struct pmuq_str online = { 0 };
	int r = own.n ? 0 : pq_lazy_fact(lazy, PQ_CLASS_CPUS_ONLINE, &online, reterr);

	if (r < 0)
		return r;
	pq_pmu_finalize(&pmu->pmu, online);
	return 0;
}

int pq_lazy_fill(void *self, const struct pmuq_pmu *queried, struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	struct pq_lazy_pmu *pmu = pq_lazy_pmu_of(queried);
	struct pq_dir dir;
	int r = PQ_NONE;
	bool gone;

	if (pmu->is_filled)
		return 0;
	if (pq_lazy_find_dir(lazy, pmu, PQ_SUBDIR_NONE, &dir) == 0)
		r = read_members(lazy, pmu, &dir);
	else
		pmu->pmu.has_type = pq_pmu_known_type(pmu->pmu.name, &pmu->pmu.type);
	gone = r == PQ_NONE && is_gone(lazy, pmu);
	r = pq_lazy_check(lazy, reterr);
	if (r == 0 && gone)
		return pq_fail(reterr, PMUQ_E_STALE_SOURCE, "the PMU '%s' is gone",
			       pmu->pmu.name.p);
	if (r == 0)
		r = finalize(lazy, pmu, reterr);
	pmu->is_filled = r == 0;
	return r;
}

/* Makes the definition that a catalog would make. */
static bool define(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pq_pmu_draft *draft)
{
	struct pq_def content = pq_draft_content(draft);
	const struct pq_def *def = pq_def_copy(&lazy->arena, &content, pq_def_hash(&content));

	pmu->pmu.attributes = pq_pairs_copy(&lazy->arena, draft->attributes, draft->n_attributes);
	if (!def || !pmu->pmu.attributes)
		return false;
	pmu->pmu.n_attributes = draft->n_attributes;
	pmu->pmu.definition = &def->record;
	return true;
}

/* Into scratch memory first: only the definition is kept, in the form that a catalog has. */
static int load_from(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pq_handle at,
		     struct pmuq_error **reterr)
{
	struct pq_pmu_draft draft = { .name = pmu->pmu.name };
	auto_arena struct pq_arena scratch = PQ_ARENA(PQ_PMU_LOAD_MAX_BYTES);
	struct pq_reader reader = { .root = &lazy->root, .arena = &scratch };
	int r;

	if (pq_handle_is_open(at))
		pq_pmu_read(&reader, at, false, &draft);
	r = pq_reader_check(&reader, reterr);
	if (r == 0 && !define(lazy, pmu, &draft))
		r = pq_fail_memory(reterr);
	return r;
}

/* The file that pq_lazy_fill() did not need. */
static int read_cpus_file(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_error **reterr)
{
	struct pmuq_str cpus = pmu->pmu.cpus_file;
	struct pq_dir dir;
	int r;

	if (!needs_cpus_file(pmu) && pq_lazy_find_dir(lazy, pmu, PQ_SUBDIR_NONE, &dir) == 0)
		cpus = pq_pmu_read_line(&lazy->reader, &dir, STR("cpus"));
	r = pq_lazy_check(lazy, reterr);
	if (r == 0)
		pmu->pmu.cpus_file = cpus;
	return r;
}

int pq_lazy_load(void *self, const struct pmuq_pmu *queried, struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	struct pq_lazy_pmu *pmu = pq_lazy_pmu_of(queried);
	auto_handle struct pq_handle at = PQ_NO_HANDLE;
	int r = pq_lazy_fill(self, queried, reterr);

	if (r == 0)
		r = pq_lazy_read_alias(lazy, pmu, reterr);
	if (r == 0 && !pmu->is_loaded)
		r = read_cpus_file(lazy, pmu, reterr);
	if (r < 0 || pmu->is_loaded)
		return r;
	pq_walk_enter(&lazy->root, lazy->devices, pmu->pmu.name, pmu->file_type, &at);
	r = load_from(lazy, pmu, at, reterr);
	pmu->is_loaded = r == 0;
	return r;
}

/* Caches a copy of what was read; NULL means that the file does not exist. After a resource error
 * it caches nothing and returns NULL. */
static void *remember(struct pq_lazy *lazy, const struct pq_lazy_pmu *pmu, enum pq_cache_key key,
		      struct pmuq_str name, const void *item, size_t bytes)
{
	void *kept = item ? pq_reader_array(&lazy->reader, 1, bytes) : NULL;

	if (pq_reader_has_failed(&lazy->reader))
		return NULL;
	if (kept)
		memcpy(kept, item, bytes);
	if (!pq_cache_add(&lazy->cache, pmu, key, name, kept))
		lazy->reader.failed = true;
	return kept;
}

/* NULL if the file does not exist; also after a resource error, which the caller finds by
 * pq_lazy_check(). */
static const struct pmuq_format *find_format(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
					     struct pmuq_str name)
{
	struct pmuq_format format;
	struct pq_dir dir;
	void *cached;
	bool exists;

	if (pq_cache_find(&lazy->cache, pmu, PQ_CACHED_FORMAT, name, &cached))
		return cached;
	if (pmu->is_loaded)
		return pq_def_format(pq_def_of(&pmu->pmu), name);
	exists = pq_lazy_find_dir(lazy, pmu, PQ_SUBDIR_FORMAT, &dir) == 0 &&
		 pq_format_read(&lazy->reader, &dir, name, &format);
	return remember(lazy, pmu, PQ_CACHED_FORMAT, name, exists ? &format : NULL, sizeof(format));
}

int pq_lazy_format(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		   const struct pmuq_format **ret, struct pmuq_error **reterr)
{
	const struct pmuq_format *format;
	int r;

	if (!pq_is_file_name(name))
		return PQ_NONE;
	format = find_format(self, pq_lazy_pmu_of(pmu), name);
	r = pq_lazy_check(self, reterr);
	if (r < 0 || !format)
		return r < 0 ? r : PQ_NONE;
	*ret = format;
	return 0;
}

/* The event of that file if it is known without reading: false if it must be searched for. */
static bool is_event_known(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_str file,
			   const struct pmuq_event **ret)
{
	const struct pq_names *names = pmu->event_names;
	void *cached = NULL;

	*ret = NULL;
	if (names && !(names->n && pq_find_by_name(names->array, names->n, file)))
		return true;
	if (pq_cache_find(&lazy->cache, pmu, PQ_CACHED_EVENT, file, &cached)) {
		*ret = cached;
		return true;
	}
	if (pmu->is_loaded)
		*ret = pq_def_event(pq_def_of(&pmu->pmu), file);
	return pmu->is_loaded || !pq_lazy_has_subdir(lazy, pmu, PQ_SUBDIR_EVENTS);
}

void pq_lazy_find_files(struct pmuq_str name, struct pq_event_files *ret)
{
	struct pmuq_str spellings[COUNT(ret->v)];
	size_t n = pq_event_spellings(name, ret->capacity, spellings);

	ret->n = 0;
	for (size_t i = 0; i < n; i++)
		if (!pq_event_companion(spellings[i]))
			ret->v[ret->n++] = spellings[i];
}

bool pq_lazy_has_event(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
		       const struct pq_event_files *files)
{
	/* Without events, no spelling is looked up in the cache. */
	if (!pmu->event_names && !pmu->is_loaded &&
	    !pq_lazy_has_subdir(lazy, pmu, PQ_SUBDIR_EVENTS))
		return false;
	for (size_t i = 0; i < files->n; i++) {
		const struct pmuq_event *event;
		bool has_it =
			is_event_known(lazy, pmu, files->v[i], &event)
				? event != NULL
				: pmu->event_names || file_type(lazy, pmu, PQ_SUBDIR_EVENTS,
								files->v[i]) == PQ_FILE_REGULAR;

		if (has_it)
			return true;
	}
	return false;
}

/* As find_format(). All companions are tried, because the directory is not listed. */
static const struct pmuq_event *find_event(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
					   struct pmuq_str file)
{
	const struct pmuq_event *known;
	struct pmuq_event event;
	struct pq_dir dir;
	bool exists;

	if (is_event_known(lazy, pmu, file, &known))
		return known;
	exists = pq_lazy_find_dir(lazy, pmu, PQ_SUBDIR_EVENTS, &dir) == 0 &&
		 pq_event_read(&lazy->reader, &dir, file, PQ_HAS_ANY, &event);
	return remember(lazy, pmu, PQ_CACHED_EVENT, file, exists ? &event : NULL, sizeof(event));
}

int pq_lazy_event(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		  const struct pmuq_event **ret, struct pmuq_error **reterr)
{
	const struct pmuq_event *event = NULL;
	struct pq_event_files files;
	int r;

	if (!pq_is_file_name(name))
		return PQ_NONE;
	pq_lazy_find_files(name, &files);
	for (size_t i = 0; !event && i < files.n; i++)
		event = find_event(self, pq_lazy_pmu_of(pmu), files.v[i]);
	r = pq_lazy_check(self, reterr);
	if (r < 0 || !event)
		return r < 0 ? r : PQ_NONE;
	*ret = event;
	return 0;
}

static const struct pmuq_pair *find_cap(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
					struct pmuq_str name)
{
	struct pmuq_pair cap;
	struct pq_dir dir;
	void *cached;
	bool exists;

	if (pq_cache_find(&lazy->cache, pmu, PQ_CACHED_CAP, name, &cached))
		return cached;
	if (pmu->is_loaded)
		return pq_find_by_name(PQ_NAMED(pmu->pmu.definition->caps, name),
				       pmu->pmu.definition->n_caps, name);
	exists = pq_lazy_find_dir(lazy, pmu, PQ_SUBDIR_CAPS, &dir) == 0 &&
		 pq_cap_read(&lazy->reader, &dir, name, &cap);
	return remember(lazy, pmu, PQ_CACHED_CAP, name, exists ? &cap : NULL, sizeof(cap));
}

int pq_lazy_cap(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name, struct pmuq_str *ret,
		struct pmuq_error **reterr)
{
	const struct pmuq_pair *cap;
	int r;

	if (!pq_is_file_name(name))
		return PQ_NONE;
	cap = find_cap(self, pq_lazy_pmu_of(pmu), name);
	r = pq_lazy_check(self, reterr);
	if (r < 0 || !cap)
		return r < 0 ? r : PQ_NONE;
	*ret = cap->text;
	return 0;
}
