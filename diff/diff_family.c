/* SPDX-License-Identifier: MIT */
/*
 * A family that both machines have: instances can be gone or new. Instances that both sides have
 * are compared; those with the same pair of definitions are compared only once.
 */
#include "core/catalog/intern.h"
#include "diff/diff_merge.h"

/* ------------------------------------------------------------------------- pairs of definitions */

/* An instance that both sides have. */
struct match {
	struct pq_pmu_pair pair;
	size_t number, first; /* first: of those that have the same definitions */
};

static bool are_of_one_pair(const struct pq_pmu_pair *a, const struct pq_pmu_pair *b)
{
	for (int side = 0; side < PQ_SIDES; side++)
		if (a->pmu[side]->definition != b->pmu[side]->definition)
			return false;
	return true;
}

/* Only brings equal pairs together: the order of pointers must not decide the order of changes. */
static int compare_defs(const void *of_a, const void *of_b)
{
	const struct match *a = of_a, *b = of_b;

	for (int side = 0; side < PQ_SIDES; side++) {
		uintptr_t x = (uintptr_t)a->pair.pmu[side]->definition;
		uintptr_t y = (uintptr_t)b->pair.pmu[side]->definition;

		if (x != y)
			return x < y ? -1 : 1;
	}
	return pq_diff_order(a->number, b->number);
}

static int compare_firsts(const void *of_a, const void *of_b)
{
	const struct match *a = of_a, *b = of_b;
	int r = pq_diff_order(a->first, b->first);

	return r ? r : pq_diff_order(a->number, b->number);
}

/* Brings matches with the same pair of definitions together, in the order of the first of each
 * pair, so that each pair is compared once. */
static void sort_matches(struct match *matches, size_t n)
{
	qsort(matches, n, sizeof(*matches), compare_defs);
	for (size_t i = 0; i < n; i++) {
		bool is_first = i == 0 || !are_of_one_pair(&matches[i].pair, &matches[i - 1].pair);

		matches[i].first = is_first ? matches[i].number : matches[i - 1].first;
	}
	qsort(matches, n, sizeof(*matches), compare_firsts);
}

/* Sorts the pairs as their matches. */
static void sort_pairs(struct pq_differ *d, struct pq_pmu_pair *pairs, size_t n)
{
	struct match *matches = pq_diff_array(d, n, sizeof(*matches));

	for (size_t i = 0; matches && i < n; i++)
		matches[i] = (struct match){ .pair = pairs[i], .number = i };
	if (matches)
		sort_matches(matches, n);
	for (size_t i = 0; matches && i < n; i++)
		pairs[i] = matches[i].pair;
}

/* ----------------------------------------------------------------------------------- comparing */

/* The quick test first: between two boots of one kernel all definitions are the same. It compares
 * texts; whether the bits changed is for diff_event.c. */
static bool are_definitions_same(const struct pq_pairing *pairing)
{
	return pq_def_equals(pq_pairing_def(pairing, PQ_BEFORE), pq_pairing_def(pairing, PQ_AFTER));
}

static void compare_definitions(struct pq_differ *d, const struct pq_pairing *pairing)
{
	pq_diff_formats(d, pairing);
	pq_diff_events(d, pairing);
	pq_diff_caps(d, pairing);
}

/* All instances of the pairing together: with a hundred instances a change is found once, not a
 * hundred times. */
static void compare_pairing(struct pq_differ *d, struct pq_pairing *pairing)
{
	pq_diff_types(d, pairing);
	for (size_t i = 0; i < pairing->n; i++) {
		const struct pmuq_pmu *const *pmu = pairing->pairs[i].pmu;

		pq_diff_own(d, pmu[PQ_BEFORE], pmu[PQ_AFTER]);
		pq_diff_attributes(d, pmu[PQ_BEFORE], pmu[PQ_AFTER]);
	}
	pq_diff_opens(d, pairing);
	pq_diff_finish_singles(d);
	if (are_definitions_same(pairing))
		return;
	pairing->names = pq_diff_names(d, pairing->n);
	for (size_t i = 0; i < pairing->n; i++)
		pq_diff_add_name(d, &pairing->names, pairing->pairs[i].pmu[PQ_BEFORE]->name);
	compare_definitions(d, pairing);
}

/* The usual case is one pairing: instances of one PMU share their definition. */
static void compare_matched(struct pq_differ *d, struct pq_pmu_pair *pairs, size_t n)
{
	size_t n_same = 1;

	while (n_same < n && are_of_one_pair(&pairs[n_same], pairs))
		n_same++;
	if (n_same < n)
		sort_pairs(d, pairs, n);
	for (size_t i = 0; i < n; i += n_same) {
		for (n_same = 1; i + n_same < n; n_same++)
			if (!are_of_one_pair(&pairs[i + n_same], &pairs[i]))
				break;
		compare_pairing(d, &(struct pq_pairing){ .pairs = &pairs[i], .n = n_same });
	}
}

/* The family has no name on both sides: "uncore_imc" became "uncore_imc_0" and "uncore_imc_1".
 * Event strings that name the family still find it, so its definitions are compared. */
static void compare_unmatched(struct pq_differ *d, const struct pq_family *family)
{
	const struct pq_pmu_pair first = { .pmu = { pq_family_first(family, PQ_BEFORE),
						    pq_family_first(family, PQ_AFTER) } };
	struct pq_pairing pairing = { .pairs = &first, .n = 1 };

	if (are_definitions_same(&pairing))
		return;
	pairing.names = pq_diff_names(d, 1);
	pq_diff_add_name(d, &pairing.names, family->base);
	compare_definitions(d, &pairing);
}

/* Moves the pairs that both sides have to the start. */
static size_t keep_matched(struct pq_family *family)
{
	size_t n = 0;

	for (size_t i = 0; i < family->n; i++)
		if (family->pairs[i].pmu[PQ_BEFORE] && family->pairs[i].pmu[PQ_AFTER])
			family->pairs[n++] = family->pairs[i];
	return n;
}

static void compare_family(struct pq_differ *d, struct pq_family *family)
{
	size_t n;

	d->rank = family->rank;
	for (int side = 0; side < PQ_SIDES; side++)
		pq_diff_add_lone(d, family, side);
	n = keep_matched(family);
	if (n)
		compare_matched(d, family->pairs, n);
	else
		compare_unmatched(d, family);
}

/* A family of one machine is kept until all are known: it may have been renamed. */
static void keep_lone(struct pq_differ *d, struct pq_families *lone, const struct pq_family *family)
{
	struct pq_family kept = *family;

	kept.pairs = pq_diff_array(d, kept.n, sizeof(*kept.pairs));
	if (!kept.pairs)
		return;
	memcpy(kept.pairs, family->pairs, kept.n * sizeof(*kept.pairs));
	d->is_out_of_memory |= !pq_vec_push_in(&d->scratch, lone, kept);
}

void pq_diff_pmus(struct pq_differ *d)
{
	cleanup(pq_merge_end) struct pq_merge merge;
	struct pq_families lone = { 0 };
	struct pq_family family;

	pq_merge_begin(&merge, d);
	while (pq_merge_next(&merge, &family))
		if (family.n_sides[PQ_BEFORE] && family.n_sides[PQ_AFTER])
			compare_family(d, &family);
		else
			keep_lone(d, &lone, &family);
	pq_diff_lone(d, &lone);
}
