/* SPDX-License-Identifier: MIT */
#include "diff/diff_merge.h"
#include "core/instance.h"

/* ---------------------------------------------------------------------------------------- runs */

/* The PMUs of a large machine are not in the processor's caches: they are requested before they are
 * needed, and their names when they have come. */
#define AHEAD 8u

static void prefetch(const struct pq_merge_run *run)
{
	if (run->next + 2 * AHEAD < run->end)
		__builtin_prefetch(pmuq_catalog_pmu(run->catalog, run->next + 2 * AHEAD));
	if (run->next + AHEAD < run->end)
		__builtin_prefetch(pmuq_catalog_pmu(run->catalog, run->next + AHEAD)->name.p);
}

static void advance(struct pq_merge_run *run)
{
	if (run->next == run->end) {
		run->pmu = NULL;
		return;
	}
	prefetch(run);
	run->pmu = pmuq_catalog_pmu(run->catalog, run->next++);
	pq_instance_split(run->pmu->name, &run->base, &run->number);
}

/* As in a catalog, but for its core PMUs. */
static int compare(const struct pq_merge_run *a, const struct pq_merge_run *b)
{
	int r = str_cmp(a->base, b->base);

	if (r)
		return r;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return str_cmp(a->pmu->name, b->pmu->name);
}

static struct pq_merge_run *least_run(struct pq_merge *merge)
{
	struct pq_merge_run *least = NULL;

	for (int i = 0; i < PQ_MERGE_RUNS; i++) {
		struct pq_merge_run *run = &merge->runs[i];

		if (run->pmu && (!least || compare(run, least) < 0))
			least = run;
	}
	return least;
}

static size_t count_cores(const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_pmus, n_core = 0;

	while (n_core < n && pmuq_catalog_pmu(catalog, n_core)->is_core)
		n_core++;
	return n_core;
}

void pq_merge_begin(struct pq_merge *merge, struct pq_differ *d)
{
	*merge = (struct pq_merge){ .d = d };
	for (int i = 0; i < PQ_MERGE_RUNS; i++) {
		const struct pmuq_catalog *catalog = d->catalogs[i / 2];
		size_t n_core = count_cores(catalog);

		merge->runs[i] = (struct pq_merge_run){
			.catalog = catalog,
			.next = i % 2 ? n_core : 0,
			.end = i % 2 ? pmuq_catalog_machine(catalog)->n_pmus : n_core,
			.side = i / 2,
		};
		advance(&merge->runs[i]);
	}
	merge->least = least_run(merge);
}

void pq_merge_end(struct pq_merge *merge)
{
	pq_vec_free(&merge->pairs);
}

/* ------------------------------------------------------------------------------------ families */

/* The PMUs of the next name. */
static struct pq_pmu_pair take_pair(struct pq_merge *merge)
{
	struct pmuq_str name = merge->least->pmu->name;
	struct pq_pmu_pair pair = { 0 };

	for (int i = 0; i < PQ_MERGE_RUNS; i++) {
		struct pq_merge_run *run = &merge->runs[i];

		if (!run->pmu || !str_eq(run->pmu->name, name))
			continue;
		pair.pmu[run->side] = run->pmu;
		advance(run);
	}
	merge->least = least_run(merge);
	return pair;
}

/* In the order of a catalog: changes come in the order that `pmuq list` has. */
static size_t rank_of(const struct pq_merge *merge, const struct pq_family *family)
{
	const struct pmuq_pmu *first = pq_family_first(family, PQ_BEFORE);

	if (!first)
		first = pq_family_first(family, PQ_AFTER);
	return (first->is_core ? PQ_RANK_CORE_PMUS : PQ_RANK_PMUS) + merge->n_families;
}

bool pq_merge_next(struct pq_merge *merge, struct pq_family *ret)
{
	merge->pairs.n = 0;
	if (!merge->least)
		return false;
	*ret = (struct pq_family){ .base = merge->least->base };
	while (merge->least && str_eq(merge->least->base, ret->base)) {
		struct pq_pmu_pair pair = take_pair(merge);

		for (int side = 0; side < PQ_SIDES; side++)
			ret->n_sides[side] += pair.pmu[side] != NULL;
		if (!pq_vec_push(&merge->pairs, pair)) {
			merge->d->is_out_of_memory = true;
			return false;
		}
	}
	ret->pairs = merge->pairs.v;
	ret->n = merge->pairs.n;
	ret->rank = rank_of(merge, ret);
	merge->n_families++;
	return true;
}
