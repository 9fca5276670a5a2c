/* SPDX-License-Identifier: MIT */
/* PMUs that only one machine has: a whole family is gone, new or renamed, or some instances. */
#include "core/catalog/intern.h"
#include "diff/diff.h"

/* The PMUs of this side that the other one does not have. */
static size_t count_lone(const struct pq_family *family, int side)
{
	return family->n - family->n_sides[pq_other_side(side)];
}

static struct pq_pmu_names list_lone(struct pq_differ *d, const struct pq_family *family, int side)
{
	struct pq_pmu_names names = pq_diff_names(d, count_lone(family, side));

	for (size_t i = 0; i < family->n; i++)
		if (!family->pairs[i].pmu[pq_other_side(side)])
			pq_diff_add_name(d, &names, family->pairs[i].pmu[side]->name);
	return names;
}

/* If a whole family is gone, every string that names it fails. If the family stays, strings without
 * a number continue to work, with fewer counts. */
void pq_diff_add_lone(struct pq_differ *d, const struct pq_family *family, int side)
{
	bool is_gone = side == PQ_BEFORE;
	size_t n = count_lone(family, side);
	int other = pq_other_side(side);
	struct pq_change change = {
		.weight = is_gone ? PMUQ_WEIGHT_BREAKING : PMUQ_WEIGHT_ADDITION,
	};

	if (!n || d->is_incomplete[other])
		return;
	change.pmus = list_lone(d, family, side);
	if (!family->n_sides[other]) {
		change.type = is_gone ? PMUQ_CHANGE_PMU_GONE : PMUQ_CHANGE_PMU_NEW;
		pq_diff_add(d, &change, "the PMU is %s", is_gone ? "gone" : "new");
		return;
	}
	change.type = is_gone ? PMUQ_CHANGE_INSTANCES_GONE : PMUQ_CHANGE_INSTANCES_NEW;
	pq_diff_add(d, &change, "%zu instance%s %s: there were %zu, there are %zu", n,
		    n == 1 ? "" : "s", is_gone ? "gone" : "more", family->n_sides[PQ_BEFORE],
		    family->n_sides[PQ_AFTER]);
}

/* ------------------------------------------------------------------------------------- renames */

/* A family of one machine that can be recognised under another name. */
struct rename_candidate {
	struct pq_family *family;
	const struct pmuq_pmu *first;
	int side;
};

/* Whether all instances have the same definition, which has events, and the same CPUs. */
static bool is_uniform(const struct rename_candidate *c)
{
	if (!c->first->definition->n_events)
		return false;
	for (size_t i = 1; i < c->family->n; i++) {
		const struct pmuq_pmu *pmu = c->family->pairs[i].pmu[c->side];

		if (pmu->definition != c->first->definition || !str_eq(pmu->cpus, c->first->cpus))
			return false;
	}
	return true;
}

/* The hashes are already equal; this excludes a collision. */
static bool is_alike(const struct rename_candidate *a, const struct rename_candidate *b)
{
	return a->family->n == b->family->n && str_eq(a->first->cpus, b->first->cpus) &&
	       a->first->is_core == b->first->is_core &&
	       a->first->is_uncore == b->first->is_uncore &&
	       pq_def_equals(pq_def_of(a->first), pq_def_of(b->first));
}

/* Brings families with equal definitions together, first the one of side 0. */
static int compare_hashes(const void *of_a, const void *of_b)
{
	const struct rename_candidate *a = of_a, *b = of_b;
	uint64_t x = a->first->definition->hash, y = b->first->definition->hash;

	if (x != y)
		return x < y ? -1 : 1;
	return a->side - b->side;
}

static size_t find_candidates(const struct pq_families *lone, struct rename_candidate *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < lone->n; i++) {
		int side = lone->v[i].n_sides[PQ_BEFORE] ? PQ_BEFORE : PQ_AFTER;

		ret[n] = (struct rename_candidate){
			.family = &lone->v[i],
			.first = pq_family_first(&lone->v[i], side),
			.side = side,
		};
		n += is_uniform(&ret[n]);
	}
	return n;
}

/* If two families are alike, each on one side only, the family was renamed, unless a third is like
 * them. */
static void find_renamed(struct pq_differ *d, const struct pq_families *lone)
{
	struct rename_candidate *v = pq_diff_array(d, lone->n, sizeof(*v));
	size_t n = v ? find_candidates(lone, v) : 0, n_same;

	if (n)
		qsort(v, n, sizeof(*v), compare_hashes);
	for (size_t i = 0; i < n; i += n_same) {
		for (n_same = 1; i + n_same < n; n_same++)
			if (v[i + n_same].first->definition->hash != v[i].first->definition->hash)
				break;
		if (n_same != 2 || v[i].side != PQ_BEFORE || v[i + 1].side != PQ_AFTER ||
		    !is_alike(&v[i], &v[i + 1]))
			continue;
		v[i].family->renamed = v[i + 1].family;
		v[i + 1].family->renamed = v[i].family;
	}
}

/* Reported under the old name. */
static void add_renamed(struct pq_differ *d, const struct pq_family *family)
{
	struct pq_change change = {
		.type = PMUQ_CHANGE_PMU_RENAMED,
		.weight = PMUQ_WEIGHT_BREAKING,
	};

	if (!family->n_sides[PQ_BEFORE])
		return;
	change.pmus = list_lone(d, family, PQ_BEFORE);
	change.new_pmus = list_lone(d, family->renamed, PQ_AFTER);
	pq_diff_add(d, &change, "the PMU is called '%.*s' now: its formats and events are the same",
		    STR_ARG(family->renamed->base));
}

void pq_diff_lone(struct pq_differ *d, const struct pq_families *lone)
{
	find_renamed(d, lone);
	for (size_t i = 0; i < lone->n; i++) {
		const struct pq_family *family = &lone->v[i];

		d->rank = family->rank;
		if (family->renamed)
			add_renamed(d, family);
		else
			for (int side = 0; side < PQ_SIDES; side++)
				pq_diff_add_lone(d, family, side);
	}
}
