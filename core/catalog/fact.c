/* SPDX-License-Identifier: MIT */
/* Look-ups in the table of facts. discover/ and document/ find out which facts a machine has. */
#include "core/catalog/fact.h"
#include <assert.h>

enum use {
	USE_CLASS,
	USE_PRINT,
};

static const struct {
	struct pmuq_str name;
	enum pq_fact_owner owner;
	enum use use;
	enum pq_change_rule rule;
} facts[] = {
#define X(id, name, owner, use, rule)                                                              \
	[PQ_FACT_##id] = { STR(name), PQ_FACT_##owner, USE_##use, PQ_RULE_##rule },
	PQ_FACTS(X)
#undef X
};

/* A class is computed from what its hosts share. */
#define X(id, name, owner, use, rule)                                                              \
	static_assert(USE_##use != USE_CLASS || PQ_FACT_##owner == PQ_FACT_SHARED, name);
PQ_FACTS(X)
#undef X

enum pq_fact pq_fact_find(struct pmuq_str name)
{
	size_t i = 0;

	while (i < COUNT(facts) && !str_eq(name, facts[i].name))
		i++;
	return (enum pq_fact)i;
}

struct pmuq_str pq_fact_name(enum pq_fact fact)
{
	return facts[fact].name;
}

enum pq_fact_owner pq_fact_owner(struct pmuq_str name)
{
	enum pq_fact fact = pq_fact_find(name);

	return fact < PQ_FACT_COUNT ? facts[fact].owner : PQ_FACT_SHARED;
}

enum pq_change_rule pq_fact_rule(struct pmuq_str name)
{
	enum pq_fact fact = pq_fact_find(name);

	return fact < PQ_FACT_COUNT ? facts[fact].rule : PQ_RULE_VOLATILE;
}

bool pq_fact_is_of_class(struct pmuq_str name)
{
	enum pq_fact fact = pq_fact_find(name);

	return fact < PQ_FACT_COUNT && facts[fact].use == USE_CLASS;
}

void pq_fact_insert(struct pmuq_pair *v, size_t n, struct pmuq_pair fact)
{
	enum pq_fact known = pq_fact_find(fact.name);

	for (; n && pq_fact_find(v[n - 1].name) > known; n--)
		v[n] = v[n - 1];
	v[n] = fact;
}
