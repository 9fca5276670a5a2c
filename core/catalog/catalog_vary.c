/* SPDX-License-Identifier: MIT */
/* Machines that differ only in the facts of their hosts share one catalog. */
#include "core/catalog/catalog_private.h"
#include "core/catalog/check.h"
#include "core/catalog/fact.h"
#include "core/freep.h"
#include "core/limits.h"

/* The facts of the base are in the order of the table; those of the host are inserted. */
static bool merge_facts(struct pmuq_catalog *c, const struct pmuq_pair *own, size_t n)
{
	struct pmuq_pair *facts = pq_arena_array(&c->arena, c->machine.n_facts + n, sizeof(*facts));

	if (!facts)
		return false;
	if (c->machine.n_facts)
		memcpy(facts, c->machine.facts, c->machine.n_facts * sizeof(*facts));
	for (size_t i = 0; i < n; i++) {
		struct pmuq_pair fact = own[i];

		if (!pq_arena_keep(&c->arena, &fact.name) || !pq_arena_keep(&c->arena, &fact.text))
			return false;
		pq_fact_insert(facts, c->machine.n_facts + i, fact);
	}
	c->machine.facts = facts;
	c->machine.n_facts += n;
	return true;
}

int pq_catalog_vary(const struct pmuq_catalog *base, const struct pmuq_pair *facts, size_t n,
		    struct pmuq_check *check, struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *c = malloc(sizeof(*c));

	if (!c) {
		pmuq_check_free(check);
		return pq_fail_memory(reterr);
	}
	*c = *base;
	c->check = check;
	c->machine.check = check;
	c->references = 1;
	c->shared = c;
	c->base = pmuq_catalog_share(base);
	c->arena = PQ_ARENA(PQ_FACTS_MAX_BYTES);
	if (!merge_facts(c, facts, n))
		return pq_fail_memory(reterr);
	*ret = move(c);
	return 0;
}

const struct pmuq_catalog *pq_catalog_base(const struct pmuq_catalog *catalog)
{
	return catalog->base;
}

PQ_API struct pmuq_catalog *pmuq_catalog_share(const struct pmuq_catalog *catalog)
{
	__atomic_add_fetch(&catalog->shared->references, 1, __ATOMIC_RELAXED);
	return catalog->shared;
}
