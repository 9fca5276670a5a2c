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

PQ_API const struct pmuq_machine *pmuq_catalog_machine(const struct pmuq_catalog *catalog)
{
	return &catalog->machine;
}

PQ_API const struct pmuq_problem *pmuq_catalog_problem(const struct pmuq_catalog *catalog,
						       size_t index)
{
	return index < catalog->machine.n_problems ? &catalog->problems[index] : NULL;
}

PQ_API const struct pmuq_tracepoint *pmuq_catalog_tracepoint(const struct pmuq_catalog *catalog,
							     size_t index)
{
	return index < catalog->machine.n_tracepoints ? &catalog->tracepoints[index] : NULL;
}

int pq_catalog_check_whole(const struct pmuq_catalog *catalog, struct pmuq_error **reterr)
{
	int r;

	if (!catalog->machine.n_counted)
		return 0;
	r = pq_fail(reterr, PMUQ_E_BAD_CALL, "the catalog has no tracepoints, only their number");
	pq_error_hint(reterr, "read it with pmuq_source_read_catalog()");
	return r;
}

const struct pmuq_pair *pq_pair_find(const struct pmuq_pair *pairs, size_t n, struct pmuq_str name)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(pairs[i].name, name))
			return &pairs[i];
	return NULL;
}

PQ_API const char *pmuq_catalog_find_fact(const struct pmuq_catalog *catalog, const char *name)
{
	const struct pmuq_machine *machine = &catalog->machine;
	const struct pmuq_pair *fact = pq_pair_find(machine->facts, machine->n_facts, str_of(name));

	return fact ? fact->text.p : NULL;
}

PQ_API const struct pmuq_pmu *pmuq_catalog_pmu(const struct pmuq_catalog *catalog, size_t index)
{
	return index < catalog->machine.n_pmus ? catalog->pmus[index] : NULL;
}

PQ_API const struct pmuq_pmu *pmuq_catalog_find_pmu(const struct pmuq_catalog *catalog,
						    const char *name)
{
	struct pq_lookup lookup = pq_catalog_lookup(catalog);
	const struct pmuq_pmu *pmu = NULL;

	lookup.ops->find_pmu(lookup.self, str_of(name), &pmu, NULL);
	return pmu;
}
