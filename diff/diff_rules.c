/* SPDX-License-Identifier: MIT */
#include "diff/diff_rules.h"
#include "core/catalog/fact.h"
#include "core/catalog/pmu_file.h"
#include "core/cpulist.h"
#include "core/num.h"

/* Lists of CPUs are bits here: enough for the longest that the kernel can have. */
#define CPUS_MAX_BYTES ((size_t)1 << 20)

static enum pq_change_rule rule_of(enum pq_pair_group group, struct pmuq_str name)
{
	const struct pq_pmu_file *file;

	if (group == PQ_PAIRS_FACTS)
		return pq_fact_rule(name);
	file = group == PQ_PAIRS_CAPS ? pq_pmu_file_find_cap(name) : pq_pmu_file_find(name);
	return file ? file->rule : PQ_RULE_OTHER;
}

/* Decimal, with a sign: perf_event_paranoid may be -1. */
static bool number_of(struct pmuq_str text, int64_t *ret)
{
	bool is_negative = text.n && text.p[0] == '-';
	uint64_t number;

	if (pq_num_decimal(is_negative ? str_part(text, 1, text.n) : text, &number) != PQ_NUM_OK ||
	    number > INT64_MAX)
		return false;
	*ret = is_negative ? -(int64_t)number : (int64_t)number;
	return true;
}

/* For a cap such as a number of counters, more is better; for a paranoid level, less. */
static enum pmuq_weight weigh_numbers(struct pmuq_str before, struct pmuq_str after,
				      bool is_more_better)
{
	int64_t x, y;

	if (!number_of(before, &x) || !number_of(after, &y))
		return PMUQ_WEIGHT_MEANING;
	if (x == y)
		return PMUQ_WEIGHT_COSMETIC;
	return (y > x) == is_more_better ? PMUQ_WEIGHT_ADDITION : PMUQ_WEIGHT_BREAKING;
}

enum pmuq_weight pq_rule_weigh_cpus(struct pq_differ *d, struct pmuq_str before,
				    struct pmuq_str after)
{
	auto_arena struct pq_arena arena = PQ_ARENA(CPUS_MAX_BYTES);
	struct pq_cpus a, b, both = { 0 };
	size_t n_a, n_b, n_both;

	if (!pq_cpus_parse(&arena, before, &a) || !pq_cpus_parse(&arena, after, &b) ||
	    !pq_cpus_unite(&arena, &both, &a)) {
		d->is_out_of_memory |= arena.is_refused;
		return PMUQ_WEIGHT_MEANING;
	}
	pq_cpus_intersect(&both, &b);
	n_a = pq_cpus_count(&a);
	n_b = pq_cpus_count(&b);
	n_both = pq_cpus_count(&both);
	if (n_both == n_a && n_both == n_b)
		return PMUQ_WEIGHT_COSMETIC;
	if (n_both == n_a)
		return PMUQ_WEIGHT_ADDITION;
	return n_both == n_b ? PMUQ_WEIGHT_BREAKING : PMUQ_WEIGHT_MEANING;
}

/* PQ_RULE_OWN and PQ_RULE_NONE do not occur here: other functions compare these. */
enum pmuq_weight pq_rule_weigh(struct pq_differ *d, enum pq_pair_group group, struct pmuq_str name,
			       struct pmuq_str before, struct pmuq_str after)
{
	switch (rule_of(group, name)) {
	case PQ_RULE_MORE:
		return weigh_numbers(before, after, true);
	case PQ_RULE_LESS:
		return weigh_numbers(before, after, false);
	case PQ_RULE_CPUS:
		return pq_rule_weigh_cpus(d, before, after);
	case PQ_RULE_COSMETIC:
		return PMUQ_WEIGHT_COSMETIC;
	case PQ_RULE_VOLATILE:
		return PMUQ_WEIGHT_PASSING;
	case PQ_RULE_OTHER:
	case PQ_RULE_OWN:
	case PQ_RULE_NONE:
		break;
	}
	return PMUQ_WEIGHT_MEANING;
}

enum pmuq_weight pq_rule_weigh_alone(enum pq_pair_group group, struct pmuq_str name, bool is_gone)
{
	if (group == PQ_PAIRS_FACTS)
		return rule_of(group, name) == PQ_RULE_VOLATILE ? PMUQ_WEIGHT_PASSING
								: PMUQ_WEIGHT_COSMETIC;
	return is_gone ? PMUQ_WEIGHT_BREAKING : PMUQ_WEIGHT_ADDITION;
}
