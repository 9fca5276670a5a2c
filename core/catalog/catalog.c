/* SPDX-License-Identifier: MIT */
/* A catalog as an object of the API. */
#include "core/catalog/catalog.h"
#include "core/catalog/catalog_private.h"
#include <pmuq/pmuq.h>

size_t pq_catalog_def_count(const struct pmuq_catalog *catalog)
{
	return catalog->n_defs;
}

const struct pq_def *pq_catalog_def(const struct pmuq_catalog *catalog, size_t index)
{
	return catalog->defs[index];
}

size_t pq_catalog_tracepoint_count(const struct pmuq_catalog *catalog)
{
	return catalog->n_tracepoints;
}

const struct pq_tracepoint *pq_catalog_tracepoint(const struct pmuq_catalog *catalog, size_t index)
{
	return &catalog->tracepoints[index];
}

const struct pq_pair *pq_catalog_fact(const struct pmuq_catalog *catalog, size_t index)
{
	return &catalog->facts[index];
}

const struct pq_problem *pq_catalog_problem(const struct pmuq_catalog *catalog, size_t index)
{
	return &catalog->problems[index];
}

PQ_API void pmuq_catalog_free(struct pmuq_catalog *catalog)
{
	struct pmuq_catalog *base;

	for (; catalog; catalog = base) {
		if (__atomic_sub_fetch(&catalog->references, 1, __ATOMIC_ACQ_REL))
			return;
		base = catalog->base;
		pmuq_check_free(catalog->check);
		pq_arena_clear(&catalog->arena);
		free(catalog);
	}
}

PQ_API bool pmuq_catalog_is_live(const struct pmuq_catalog *catalog)
{
	return catalog->is_live;
}

PQ_API const struct pmuq_check *pmuq_catalog_check(const struct pmuq_catalog *catalog)
{
	return catalog->check;
}

PQ_API size_t pmuq_catalog_fact_count(const struct pmuq_catalog *catalog)
{
	return catalog->n_facts;
}

PQ_API const char *pmuq_catalog_fact_name(const struct pmuq_catalog *catalog, size_t index)
{
	return index < catalog->n_facts ? catalog->facts[index].name.p : NULL;
}

PQ_API const char *pmuq_catalog_fact_text(const struct pmuq_catalog *catalog, size_t index)
{
	return index < catalog->n_facts ? catalog->facts[index].text.p : NULL;
}

PQ_API const char *pmuq_catalog_find_fact(const struct pmuq_catalog *catalog, const char *name)
{
	struct pmuq_str wanted = str_of(name);

	for (size_t i = 0; i < catalog->n_facts; i++)
		if (str_eq(catalog->facts[i].name, wanted))
			return catalog->facts[i].text.p;
	return NULL;
}

PQ_API size_t pmuq_catalog_pmu_count(const struct pmuq_catalog *catalog)
{
	return catalog->n_pmus;
}

PQ_API const struct pmuq_pmu *pmuq_catalog_pmu(const struct pmuq_catalog *catalog, size_t index)
{
	return index < catalog->n_pmus ? catalog->pmus[index] : NULL;
}

PQ_API const struct pmuq_pmu *pmuq_catalog_find_pmu(const struct pmuq_catalog *catalog,
						    const char *name)
{
	struct pq_lookup lookup = pq_catalog_lookup(catalog);
	const struct pmuq_pmu *pmu = NULL;

	lookup.ops->find_pmu(lookup.self, str_of(name), &pmu, NULL);
	return pmu;
}

PQ_API size_t pmuq_catalog_problem_count(const struct pmuq_catalog *catalog)
{
	return catalog->n_problems;
}

PQ_API const char *pmuq_catalog_problem_path(const struct pmuq_catalog *catalog, size_t index)
{
	return index < catalog->n_problems ? catalog->problems[index].path.p : NULL;
}

PQ_API const char *pmuq_catalog_problem_message(const struct pmuq_catalog *catalog, size_t index)
{
	return index < catalog->n_problems ? catalog->problems[index].message.p : NULL;
}

PQ_API enum pmuq_code pmuq_catalog_problem_code(const struct pmuq_catalog *catalog, size_t index)
{
	return index < catalog->n_problems ? catalog->problems[index].code : PMUQ_OK;
}
