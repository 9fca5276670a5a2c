/* SPDX-License-Identifier: MIT */
/* Names with texts: caps of a definition, plain files of PMUs, facts about the host. */
#include "diff/diff.h"
#include "diff/diff_rules.h"

/* Gone, new, changed. */
static const enum pmuq_change_type types_of[][3] = {
	[PQ_PAIRS_CAPS] = { PMUQ_CHANGE_CAP_GONE, PMUQ_CHANGE_CAP_NEW, PMUQ_CHANGE_CAP },
	[PQ_PAIRS_ATTRIBUTES] = { PMUQ_CHANGE_ATTRIBUTE_GONE, PMUQ_CHANGE_ATTRIBUTE_NEW,
				  PMUQ_CHANGE_ATTRIBUTE },
	[PQ_PAIRS_FACTS] = { PMUQ_CHANGE_FACT_GONE, PMUQ_CHANGE_FACT_NEW, PMUQ_CHANGE_FACT },
};

static bool is_same(const struct pmuq_pair *a, const struct pmuq_pair *b)
{
	return a && b && str_eq(a->text, b->text);
}

/* Fills in a change of one name, which may be missing in `a` or `b` (NULL). False if nothing
 * changed. */
static bool weigh(struct pq_differ *d, enum pq_pair_group group, const struct pmuq_pair *a,
		  const struct pmuq_pair *b, struct pq_change *ret)
{
	const struct pmuq_pair *any = a ? a : b;

	if ((!a && d->is_incomplete[PQ_BEFORE]) || (!b && d->is_incomplete[PQ_AFTER]))
		return false;
	ret->type = types_of[group][!b ? 0 : !a ? 1 : 2];
	ret->weight = a && b ? pq_rule_weigh(d, group, any->name, a->text, b->text)
			     : pq_rule_weigh_alone(group, any->name, !b);
	ret->name = any->name;
	ret->text[PQ_BEFORE] = a ? a->text : (struct pmuq_str){ 0 };
	ret->text[PQ_AFTER] = b ? b->text : (struct pmuq_str){ 0 };
	return true;
}

void pq_diff_caps(struct pq_differ *d, const struct pq_pairing *pairing)
{
	const struct pq_def *before = pq_pairing_def(pairing, PQ_BEFORE);
	const struct pq_def *after = pq_pairing_def(pairing, PQ_AFTER);
	struct pq_two_lists lists = PQ_TWO_LISTS(before->record.caps, before->record.n_caps,
						 after->record.caps, after->record.n_caps);
	const void *a, *b;

	while (pq_two_lists_next(&lists, &a, &b)) {
		struct pq_change change = { .pmus = pairing->names };

		if (!is_same(a, b) && weigh(d, PQ_PAIRS_CAPS, a, b, &change))
			pq_diff_add(d, &change, "cap '%s' %s", change.name.p,
				    !b	 ? "is gone"
				    : !a ? "is new"
					 : "has another value");
	}
}

/* Plain files belong to an instance, so each may differ: equal changes are merged. */
void pq_diff_attributes(struct pq_differ *d, const struct pmuq_pmu *before,
			const struct pmuq_pmu *after)
{
	struct pq_two_lists lists = PQ_TWO_LISTS(before->attributes, before->n_attributes,
						 after->attributes, after->n_attributes);
	const void *a, *b;

	while (pq_two_lists_next(&lists, &a, &b)) {
		struct pq_single single;

		if (is_same(a, b))
			continue;
		single = (struct pq_single){
			.pmu = before,
			.sentence = !b	 ? "a file of the PMU is gone"
				    : !a ? "a file of the PMU is new"
					 : "a file of the PMU has another value",
		};
		if (weigh(d, PQ_PAIRS_ATTRIBUTES, a, b, &single.change))
			pq_diff_add_single(d, &single);
	}
}

/* --------------------------------------------------------------------------------------- facts */

/* NULL for the side that does not have the fact. */
static void add_fact(struct pq_differ *d, const struct pmuq_pair *a, const struct pmuq_pair *b)
{
	struct pq_change change = { 0 };

	if (!is_same(a, b) && weigh(d, PQ_PAIRS_FACTS, a, b, &change))
		pq_diff_add(d, &change, "fact '%s' %s", change.name.p,
			    !b	 ? "is not known any more"
			    : !a ? "is known now"
				 : "has another value");
}

/* Facts are few, and in the order in which they were read. */
void pq_diff_facts(struct pq_differ *d)
{
	const struct pmuq_machine *before = pmuq_catalog_machine(d->catalogs[PQ_BEFORE]);
	const struct pmuq_machine *after = pmuq_catalog_machine(d->catalogs[PQ_AFTER]);

	d->rank = PQ_RANK_HOST;
	for (size_t i = 0; i < before->n_facts; i++) {
		const struct pmuq_pair *fact = &before->facts[i];

		add_fact(d, fact, pq_pair_find(after->facts, after->n_facts, fact->name));
	}
	for (size_t i = 0; i < after->n_facts; i++) {
		const struct pmuq_pair *fact = &after->facts[i];

		if (!pq_pair_find(before->facts, before->n_facts, fact->name))
			add_fact(d, NULL, fact);
	}
}
