/* SPDX-License-Identifier: MIT */
/* The data of a PMU itself, not of its definition: the type, the CPUs, a second name. */
#include "core/ranges.h"
#include "diff/diff.h"
#include "diff/diff_rules.h"

/* From this number on, the kernel numbers PMUs as their drivers register: each boot may differ. */
#define FIRST_DYNAMIC_TYPE (PQ_TYPE_BREAKPOINT + 1u)

/* The numbers in the order of the PMUs, consecutive ones as "17-22". */
static struct pmuq_str print_types(struct pq_differ *d, const struct pmuq_pmu *const *pmus,
				   size_t n)
{
	struct pq_buf text = PQ_BUF_IN(&d->scratch);
	struct pq_ranges ranges = { .buf = &text };

	for (size_t i = 0; i < n; i++)
		pq_ranges_add(&ranges, pmus[i]->type);
	pq_ranges_end(&ranges);
	return pq_diff_text(d, &text);
}

/* One change for all `n` PMUs, which have the same type of change. */
static void add_types(struct pq_differ *d, const struct pmuq_pmu *const *moved[PQ_SIDES], size_t n,
		      enum pmuq_weight weight, const char *sentence)
{
	struct pq_change change = { .type = PMUQ_CHANGE_PMU_TYPE, .weight = weight };

	for (int side = 0; side < PQ_SIDES; side++)
		if (moved[side][0]->has_type)
			change.text[side] = print_types(d, moved[side], n);
	change.pmus = pq_diff_names(d, moved[PQ_BEFORE], n);
	pq_diff_add(d, &change, "%s", sentence);
}

enum type_change {
	TYPE_GONE,
	TYPE_NEW,
	TYPE_FIXED,
	TYPE_DYNAMIC,
	TYPE_SAME,
};

/* A fixed number is part of the kernel's ABI; a dynamic one belongs to one boot. */
static enum type_change type_change(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	if (a->has_type != b->has_type)
		return a->has_type ? TYPE_GONE : TYPE_NEW;
	if (!a->has_type || a->type == b->type)
		return TYPE_SAME;
	return a->type < FIRST_DYNAMIC_TYPE || b->type < FIRST_DYNAMIC_TYPE ? TYPE_FIXED
									    : TYPE_DYNAMIC;
}

static bool are_types_same(const struct pq_pairing *pairing)
{
	for (size_t i = 0; i < pairing->n; i++)
		if (type_change(pairing->pmus[PQ_BEFORE][i], pairing->pmus[PQ_AFTER][i]) !=
		    TYPE_SAME)
			return false;
	return true;
}

void pq_diff_types(struct pq_differ *d, const struct pq_pairing *pairing)
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

	const struct pmuq_pmu **a, **b;

	if (are_types_same(pairing))
		return;
	a = pq_diff_array(d, 2 * pairing->n, sizeof(const void *));
	b = a ? a + pairing->n : NULL;
	/* One change for all instances with the same type of change. */
	for (unsigned type = 0; a && type < TYPE_SAME; type++) {
		const struct pmuq_pmu *const *moved[PQ_SIDES] = { a, b };
		size_t n = 0;

		for (size_t i = 0; i < pairing->n; i++) {
			a[n] = pairing->pmus[PQ_BEFORE][i];
			b[n] = pairing->pmus[PQ_AFTER][i];
			n += type_change(a[n], b[n]) == type;
		}
		if (n)
			add_types(d, moved, n, types[type].weight, types[type].sentence);
	}
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
