/* SPDX-License-Identifier: MIT */
#include "tests/harness/other_facts.h"
#include "core/catalog/catalog.h"
#include "core/catalog/fact.h"

static bool copy_pmus(struct pq_builder *builder, const struct pmuq_catalog *catalog)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++)
		if (pq_builder_copy_pmu(builder, pmuq_catalog_pmu(catalog, i), NULL) < 0)
			return false;
	return true;
}

static bool copy_tracepoints(struct pq_builder *builder, const struct pmuq_catalog *catalog)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_tracepoints; i++)
		if (pq_builder_tracepoint(builder, pmuq_catalog_tracepoint(catalog, i), NULL) < 0)
			return false;
	return true;
}

/* Known facts that the machine does not have are added. */
static bool add_facts(struct pq_builder *builder, const struct pmuq_catalog *catalog)
{
	for (enum pq_fact fact = 0; fact < PQ_FACT_COUNT; fact++) {
		struct pmuq_str name = pq_fact_name(fact);
		const char *text = pmuq_catalog_find_fact(catalog, name.p);

		if (!pq_fact_is_of_class(name))
			text = "other";
		if (text && pq_builder_fact(builder, name, str_of(text), NULL) < 0)
			return false;
	}
	return true;
}

struct pmuq_catalog *catalog_with_other_facts(const struct pmuq_catalog *catalog)
{
	struct pmuq_catalog *other = NULL;
	struct pq_builder *builder = NULL;

	if (pq_builder_new(&builder, NULL) < 0)
		return NULL;
	if (copy_pmus(builder, catalog) && copy_tracepoints(builder, catalog) &&
	    add_facts(builder, catalog)) {
		pq_builder_finish(builder, &other, NULL);
		return other;
	}
	pq_builder_free(builder);
	return NULL;
}
