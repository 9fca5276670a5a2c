/* SPDX-License-Identifier: MIT */
/* The data of a PMU itself, not of its definition: the type, the CPUs, a second name. */
#include "core/ranges.h"
#include "diff/diff.h"
#include "diff/diff_rules.h"

/* From this number on, the kernel numbers PMUs as their drivers register: each boot may differ. */
#define FIRST_DYNAMIC_TYPE (PQ_TYPE_BREAKPOINT + 1u)

enum type_change {
	TYPE_GONE,
	TYPE_NEW,
	TYPE_FIXED,
	TYPE_DYNAMIC,
	TYPE_SAME,
};

/* A fixed number is part of the kernel's ABI; a dynamic one belongs to one boot. */
static enum type_change type_change(const struct pq_pmu_pair *pair)
{
	const struct pmuq_pmu *a = pair->pmu[PQ_BEFORE], *b = pair->pmu[PQ_AFTER];

	if (a->has_type != b->has_type)
		return a->has_type ? TYPE_GONE : TYPE_NEW;
	if (!a->has_type || a->type == b->type)
		return TYPE_SAME;
	return a->type < FIRST_DYNAMIC_TYPE || b->type < FIRST_DYNAMIC_TYPE ? TYPE_FIXED
									    : TYPE_DYNAMIC;
}

/* The types of all PMUs with that type of change, consecutive ones as "17-22". */
static struct pmuq_str print_types(struct pq_differ *d, const struct pq_pairing *pairing,
				   enum type_change type, int side)
{
	struct pq_buf text = PQ_BUF_IN(&d->scratch);
	struct pq_ranges ranges = { .buf = &text };

	for (size_t i = 0; i < pairing->n; i++)
		if (type_change(&pairing->pairs[i]) == type)
			pq_ranges_add(&ranges, pairing->pairs[i].pmu[side]->type);
	pq_ranges_end(&ranges);
	return pq_diff_text(d, &text);
}

/* One change for all `n` instances with that type of change. */
static void add_types(struct pq_differ *d, const struct pq_pairing *pairing, enum type_change type,
		      size_t n)
{
	static const struct {
		enum pmuq_weight weight;
		const char *sentence;
	} types[TYPE_SAME] = {
		[TYPE_GONE] = { .weight = PMUQ_WEIGHT_BREAKING,
				.sentence = "the PMU has no type any more" },
		[TYPE_NEW] = { .weight = PMUQ_WEIGHT_ADDITION,
			       .sentence = "the PMU has a type now" },
		[TYPE_FIXED] = { .weight = PMUQ_WEIGHT_MEANING,
				 .sentence = "the PMU has another type" },
		[TYPE_DYNAMIC] = { .weight = PMUQ_WEIGHT_PASSING,
				   .sentence = "the PMU has another number, which may change "
					       "at each boot" },
	};
	struct pq_change change = {
		.type = PMUQ_CHANGE_PMU_TYPE,
		.weight = types[type].weight,
		.pmus = pq_diff_names(d, n),
	};

	for (size_t i = 0; i < pairing->n; i++)
		if (type_change(&pairing->pairs[i]) == type)
			pq_diff_add_name(d, &change.pmus, pairing->pairs[i].pmu[PQ_BEFORE]->name);
	if (type != TYPE_NEW)
		change.text[PQ_BEFORE] = print_types(d, pairing, type, PQ_BEFORE);
	if (type != TYPE_GONE)
		change.text[PQ_AFTER] = print_types(d, pairing, type, PQ_AFTER);
	pq_diff_add(d, &change, "%s", types[type].sentence);
}

void pq_diff_types(struct pq_differ *d, const struct pq_pairing *pairing)
{
	size_t counts[TYPE_SAME + 1] = { 0 };

	for (size_t i = 0; i < pairing->n; i++)
		counts[type_change(&pairing->pairs[i])]++;
	for (enum type_change type = TYPE_GONE; type < TYPE_SAME; type++)
		if (counts[type])
			add_types(d, pairing, type, counts[type]);
}

/* The list in the PMU's own files; a PMU without one counts on all CPUs, whose list is a fact. */
static struct pmuq_str own_cpus(const struct pmuq_pmu *pmu)
{
	return pmu->cpumask.p ? pmu->cpumask : pmu->cpus_file;
}

/* Core PMUs open for tasks, uncore PMUs only per CPU. */
static bool opens_alike(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	return a->is_core == b->is_core && a->is_uncore == b->is_uncore;
}

static void add_cpus(struct pq_differ *d, const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	struct pq_single single = {
		.change = { .type = PMUQ_CHANGE_PMU_CPUS, .text = { own_cpus(a), own_cpus(b) } },
		.pmu = a,
		.sentence = "events open on other CPUs",
	};
	struct pmuq_str *text = single.change.text;
	bool has_both = text[PQ_BEFORE].p && text[PQ_AFTER].p;

	single.change.weight = has_both ? pq_rule_weigh_cpus(d, text[PQ_BEFORE], text[PQ_AFTER])
					: pq_rule_weigh_cpus(d, a->cpus, b->cpus);
	if (!opens_alike(a, b)) {
		single.change.weight = PMUQ_WEIGHT_MEANING;
		single.sentence = b->is_uncore	 ? "events open per CPU only"
				  : b->is_core	 ? "it is a core PMU now"
				  : a->is_uncore ? "events open for tasks, too"
						 : "it is not a core PMU any more";
	}
	if (single.change.weight == PMUQ_WEIGHT_COSMETIC)
		single.sentence = "the same CPUs are written in another way";
	pq_diff_add_single(d, &single);
}

/* An empty file `alias` is not a name. */
static struct pmuq_str alias_of(const struct pmuq_pmu *pmu)
{
	return pmu->alias.n ? pmu->alias : (struct pmuq_str){ 0 };
}

/* A new alias breaks nothing; a removed one breaks strings that use it. */
static void add_alias(struct pq_differ *d, const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	const struct pq_single single = {
		.change = { .type = PMUQ_CHANGE_PMU_ALIAS,
			    .weight = a->alias.n ? PMUQ_WEIGHT_BREAKING : PMUQ_WEIGHT_ADDITION,
			    .text = { alias_of(a), alias_of(b) } },
		.pmu = a,
		.sentence = a->alias.n ? "its second name is gone" : "it has a second name",
	};

	pq_diff_add_single(d, &single);
}

void pq_diff_own(struct pq_differ *d, const struct pmuq_pmu *before, const struct pmuq_pmu *after)
{
	if (!opens_alike(before, after) || !str_same(own_cpus(before), own_cpus(after)))
		add_cpus(d, before, after);
	if (!str_eq(before->alias, after->alias))
		add_alias(d, before, after);
}
