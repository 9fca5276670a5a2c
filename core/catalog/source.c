/* SPDX-License-Identifier: MIT */
/*
 * The source as an object of the API, and the source that is a catalog in memory. The source that
 * reads a machine lazily is in discover/.
 */
#include "core/catalog/source.h"

PQ_API bool pmuq_source_is_live(const struct pmuq_source *source)
{
	return source->lookup.ops->is_live(source->lookup.self);
}

int pq_source_find_pmu(struct pq_lookup lookup, struct pmuq_str name, const struct pmuq_pmu **ret,
		       struct pmuq_error **reterr)
{
	int r = lookup.ops->find_pmu(lookup.self, name, ret, reterr);

	return r == PQ_NONE ? pq_fail(reterr, PMUQ_E_UNKNOWN_PMU, "no PMU is called '%.*s'",
				      STR_ARG(name))
			    : r;
}

PQ_API int pmuq_source_find_pmu(struct pmuq_source *source, const char *name,
				const struct pmuq_pmu **ret, struct pmuq_error **reterr)
{
	struct pq_lookup lookup = source->lookup;
	const struct pmuq_pmu *pmu = NULL;
	int r = pq_source_find_pmu(lookup, str_of(name), &pmu, reterr);

	if (r == 0)
		r = lookup.ops->load(lookup.self, pmu, reterr);
	if (r == 0)
		*ret = pmu;
	return r;
}

PQ_API uint64_t pmuq_source_opens(const struct pmuq_source *source)
{
	return source->opens;
}

PQ_API int pmuq_source_refresh(struct pmuq_source *source, bool *ret_changed,
			       struct pmuq_error **reterr)
{
	if (source->refresh)
		return source->refresh(source, ret_changed, reterr);
	*ret_changed = false;
	return 0;
}

PQ_API void pmuq_source_free(struct pmuq_source *source)
{
	if (source)
		source->free(source);
}

PQ_API int pmuq_source_read_catalog(struct pmuq_source *source, struct pmuq_catalog **ret,
				    struct pmuq_error **reterr)
{
	return source->read_catalog(source, PQ_PART_ALL, ret, reterr);
}

PQ_API int pmuq_source_read_pmus(struct pmuq_source *source, struct pmuq_catalog **ret,
				 struct pmuq_error **reterr)
{
	return source->read_catalog(source, PQ_PART_PMUS, ret, reterr);
}

/* A source that is a catalog, such as a loaded snapshot. */
struct loaded {
	struct pmuq_source source;
	struct pmuq_catalog *catalog;
};

static void free_loaded(struct pmuq_source *source)
{
	struct loaded *loaded = (struct loaded *)source;

	pmuq_catalog_free(loaded->catalog);
	free(loaded);
}

static int find_loaded_fact(struct pmuq_source *source, const char *name, const char **ret,
			    struct pmuq_error **reterr)
{
	(void)reterr;
	*ret = pmuq_catalog_find_fact(((struct loaded *)source)->catalog, name);
	return 0;
}

/* A catalog is immutable: the caller gets another reference to it. */
static int share_loaded(struct pmuq_source *source, enum pq_part part,
			struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	(void)part;
	(void)reterr;
	*ret = pmuq_catalog_share(((struct loaded *)source)->catalog);
	return 0;
}

PQ_API int pmuq_source_open_catalog(struct pmuq_catalog *catalog, struct pmuq_source **ret,
				    struct pmuq_error **reterr)
{
	struct loaded *loaded = calloc(1, sizeof(*loaded));

	if (!loaded)
		return pq_fail_memory(reterr);
	loaded->catalog = catalog;
	loaded->source = (struct pmuq_source){
		.lookup = pq_catalog_lookup(catalog),
		.find_fact = find_loaded_fact,
		.read_catalog = share_loaded,
		.free = free_loaded,
	};
	*ret = &loaded->source;
	return 0;
}

PQ_API int pmuq_source_find_fact(struct pmuq_source *source, const char *name, const char **ret,
				 struct pmuq_error **reterr)
{
	return source->find_fact(source, name, ret, reterr);
}
