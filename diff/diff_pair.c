/* SPDX-License-Identifier: MIT */
/* Names with texts: caps of a definition, plain files of PMUs, facts about the host. */
#include "diff/diff.h"
#include "diff/diff_rules.h"

/* A kind of pairs, and how its changes are told. */
struct kind {
	enum pq_pair_group rule;
	enum pmuq_change_type gone, is_new, changed;
};

static const struct kind caps = { PQ_PAIRS_CAPS, PMUQ_CHANGE_CAP_GONE, PMUQ_CHANGE_CAP_NEW,
				  PMUQ_CHANGE_CAP };
static const struct kind attributes = { PQ_PAIRS_ATTRIBUTES, PMUQ_CHANGE_ATTRIBUTE_GONE,
					PMUQ_CHANGE_ATTRIBUTE_NEW, PMUQ_CHANGE_ATTRIBUTE };
static const struct kind facts = { PQ_PAIRS_FACTS, PMUQ_CHANGE_FACT_GONE, PMUQ_CHANGE_FACT_NEW,
				   PMUQ_CHANGE_FACT };

/* One of the two may be NULL. False: it is no change. */
static bool weigh(const struct pq_differ *d, const struct kind *kind, const struct pmuq_pair *a,
		  const struct pmuq_pair *b, struct pq_change *ret)
{
	const struct pmuq_pair *any = a ? a : b;

	if (a && b && str_eq(a->text, b->text))
		return false;
	if ((!a && !pq_diff_tells(d, PQ_BEFORE)) || (!b && !pq_diff_tells(d, PQ_AFTER)))
		return false;
	ret->type = !b ? kind->gone : !a ? kind->is_new : kind->changed;
	ret->weight = a && b ? pq_rule_weigh(kind->rule, any->name, a->text, b->text)
			     : pq_rule_weigh_alone(kind->rule, any->name, !b);
	ret->name = any->name;
	ret->text[PQ_BEFORE] = a ? a->text : (struct pmuq_str){ 0 };
	ret->text[PQ_AFTER] = b ? b->text : (struct pmuq_str){ 0 };
	return true;
}

/* ---------------------------------------------------------------------- caps, plain files */

/* Two sorted arrays walked side by side. */
struct walk {
	const struct pmuq_pair *v[PQ_SIDES];
	size_t n[PQ_SIDES], at[PQ_SIDES];
};

static bool step(struct walk *walk, const struct pmuq_pair **ret_a, const struct pmuq_pair **ret_b)
{
	bool has_a = walk->at[PQ_BEFORE] < walk->n[PQ_BEFORE];
	bool has_b = walk->at[PQ_AFTER] < walk->n[PQ_AFTER];
	const struct pmuq_pair *a = has_a ? &walk->v[PQ_BEFORE][walk->at[PQ_BEFORE]] : NULL;
	const struct pmuq_pair *b = has_b ? &walk->v[PQ_AFTER][walk->at[PQ_AFTER]] : NULL;
	int order = !a ? 1 : !b ? -1 : str_cmp(a->name, b->name);

	*ret_a = order <= 0 ? a : NULL;
	*ret_b = order >= 0 ? b : NULL;
	walk->at[PQ_BEFORE] += order <= 0;
	walk->at[PQ_AFTER] += order >= 0;
	return has_a || has_b;
}

int pq_diff_caps(struct pq_differ *d, const struct pq_pairing *pairing)
{
	const struct pq_def *before = pq_pairing_def(pairing, PQ_BEFORE);
	const struct pq_def *after = pq_pairing_def(pairing, PQ_AFTER);
	struct walk walk = { .v = { before->record.caps, after->record.caps },
			     .n = { before->record.n_caps, after->record.n_caps } };
	const struct pmuq_pair *a, *b;
	int r = 0;

	while (r == 0 && step(&walk, &a, &b)) {
		struct pq_change change = { .pmus = pairing->names };

		if (weigh(d, &caps, a, b, &change))
			r = pq_diff_add(d, &change, "cap '%s' %s", change.name.p,
					!b   ? "is gone"
					: !a ? "is new"
					     : "has another value");
	}
	return r;
}

static int compare_files(struct pq_differ *d, const struct pmuq_pmu *before,
			 const struct pmuq_pmu *after, struct pq_singles *singles)
{
	struct walk walk = { .v = { before->attributes, after->attributes },
			     .n = { before->n_attributes, after->n_attributes } };
	const struct pmuq_pair *a, *b;
	int r = 0;

	while (r == 0 && step(&walk, &a, &b)) {
		struct pq_single single = { .pmu = before };

		if (!weigh(d, &attributes, a, b, &single.change))
			continue;
		single.sentence = !b   ? "a file of the PMU is gone"
				  : !a ? "a file of the PMU is new"
				       : "a file of the PMU has another value";
		r = pq_singles_add(d, singles, &single);
	}
	return r;
}

int pq_diff_attributes(struct pq_differ *d, const struct pq_pairing *pairing)
{
	cleanup(pq_singles_free) struct pq_singles singles = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < pairing->n; i++)
		r = compare_files(d, pairing->pmus[PQ_BEFORE][i], pairing->pmus[PQ_AFTER][i],
				  &singles);
	return r < 0 ? r : pq_singles_finish(d, &singles);
}

/* --------------------------------------------------------------------------------------- facts */

static const struct pmuq_pair *find_fact(const struct pmuq_catalog *catalog, struct pmuq_str name)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++)
		if (str_eq(pq_catalog_fact(catalog, i)->name, name))
			return pq_catalog_fact(catalog, i);
	return NULL;
}

static int add_fact(struct pq_differ *d, const struct pmuq_pair *a, const struct pmuq_pair *b)
{
	struct pq_change change = { .type = facts.changed };

	if (!weigh(d, &facts, a, b, &change))
		return 0;
	return pq_diff_add(d, &change, "fact '%s' %s", change.name.p,
			   !b	? "is not told any more"
			   : !a ? "is told now"
				: "is another one");
}

int pq_diff_facts(struct pq_differ *d)
{
	const struct pmuq_catalog *before = d->catalogs[PQ_BEFORE], *after = d->catalogs[PQ_AFTER];
	int r = 0;

	d->place = PQ_PLACE_HOST;
	for (size_t i = 0; r == 0 && i < pmuq_catalog_machine(before)->n_facts; i++) {
		const struct pmuq_pair *fact = pq_catalog_fact(before, i);

		r = add_fact(d, fact, find_fact(after, fact->name));
	}
	for (size_t i = 0; r == 0 && i < pmuq_catalog_machine(after)->n_facts; i++) {
		const struct pmuq_pair *fact = pq_catalog_fact(after, i);

		if (!find_fact(before, fact->name))
			r = add_fact(d, NULL, fact);
	}
	return r;
}
