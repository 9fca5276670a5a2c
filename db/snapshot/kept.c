/* SPDX-License-Identifier: MIT */
#include "db/snapshot/kept.h"
#include "core/catalog/check.h"

struct pq_kept {
	struct pq_kept_machine v[PQ_KEPT_MACHINES];
	size_t n_added;
};

static bool is_same_hash(const struct pq_hash *a, const struct pq_hash *b)
{
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static bool is_same_machine(const struct pq_kept_machine *a, const struct pq_kept_machine *b)
{
	return is_same_hash(&a->layout, &b->layout) && is_same_hash(&a->fact_set, &b->fact_set) &&
	       is_same_hash(&a->tracepoint_set, &b->tracepoint_set) &&
	       is_same_hash(&a->problem_set, &b->problem_set);
}

bool pq_kept_has_check_of(const struct pq_kept_machine *kept, const struct pq_kept_machine *wanted)
{
	return is_same_hash(&kept->check_set, &wanted->check_set) && kept->total == wanted->total;
}

const struct pq_kept_machine *pq_kept_find(const struct pmuq_store *store,
					   const struct pq_kept_machine *wanted)
{
	const struct pq_kept_machine *found = NULL;

	for (size_t i = 0; store->kept && i < PQ_KEPT_MACHINES; i++) {
		const struct pq_kept_machine *kept = &store->kept->v[i];

		if (!kept->catalog || !is_same_machine(kept, wanted))
			continue;
		found = kept;
		if (pq_kept_has_check_of(kept, wanted))
			break;
	}
	return found;
}

static void drop(struct pq_kept_machine *machine)
{
	pmuq_catalog_free(machine->catalog);
	pmuq_check_free(machine->check);
	*machine = (struct pq_kept_machine){ 0 };
}

void pq_kept_add(struct pmuq_store *store, const struct pq_kept_machine *machine)
{
	struct pq_kept_machine *kept;

	if (!store->kept)
		store->kept = calloc(1, sizeof(*store->kept));
	if (!store->kept)
		return;
	kept = &store->kept->v[store->kept->n_added++ % PQ_KEPT_MACHINES];
	drop(kept);
	*kept = *machine;
	kept->catalog = pmuq_catalog_share(machine->catalog);
	kept->check = machine->check ? pq_check_share(machine->check) : NULL;
}

void pq_kept_free(struct pq_kept *kept)
{
	for (size_t i = 0; kept && i < PQ_KEPT_MACHINES; i++)
		drop(&kept->v[i]);
	free(kept);
}
