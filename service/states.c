/* SPDX-License-Identifier: MIT */
#include "service/states.h"
#include "core/error.h"
#include <string.h>

enum status states_begin(struct states *states, const struct cli *cli)
{
	*states = (struct states){ 0 };
	return follower_begin(&states->follower, cli);
}

void states_clear(struct states *states)
{
	for (size_t i = 0; i < states->n_before; i++)
		pmuq_catalog_free(states->before[i].catalog);
	states->n_before = 0;
	follower_clear(&states->follower);
}

/* The oldest leaves if there is no place. */
static void keep(struct states *states, struct pmuq_catalog *catalog)
{
	if (states->n_before == COUNT(states->before)) {
		pmuq_catalog_free(states->before[0].catalog);
		memmove(states->before, states->before + 1,
			--states->n_before * sizeof(states->before[0]));
	}
	states->before[states->n_before++] = (struct state){
		.generation = states->follower.generation - 1,
		.catalog = catalog,
	};
}

/* The diff of the change refers to the catalog before it, which is kept from now on. */
enum status states_step(struct states *states, struct follower_change *ret)
{
	enum status status = follower_step(&states->follower, ret);

	if (ret->before)
		keep(states, move(ret->before));
	return status;
}

static struct pmuq_catalog *find(const struct states *states, uint64_t generation)
{
	if (generation == states->follower.generation)
		return states->follower.catalog;
	for (size_t i = 0; i < states->n_before; i++)
		if (states->before[i].generation == generation)
			return states->before[i].catalog;
	return NULL;
}

uint64_t states_oldest(const struct states *states)
{
	return states->n_before ? states->before[0].generation : states->follower.generation;
}

int states_source(const struct states *states, uint64_t generation, struct pmuq_source **ret,
		  struct pmuq_error **reterr)
{
	struct pmuq_catalog *found = find(states, generation), *shared;
	int r;

	if (!found)
		return PQ_NONE;
	shared = pmuq_catalog_share(found);
	r = pmuq_source_open_catalog(shared, ret, reterr);
	if (r < 0)
		pmuq_catalog_free(shared);
	return r;
}
