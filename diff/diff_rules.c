/* SPDX-License-Identifier: MIT */
#include "diff/diff_rules.h"
#include "core/cpulist.h"
#include "core/num.h"

/* A list of CPUs is bits: all that there can be, twice. */
#define CPUS_MAX_BYTES ((size_t)1 << 20)

enum way {
	WAY_MORE, /* a larger number is more to have */
	WAY_LESS, /* a smaller one is */
	WAY_CPUS,
	WAY_OTHER, /* another text means something else */
	WAY_COSMETIC,
	WAY_PASSING,
};

struct rule {
	enum pq_rule_kind kind;
	struct pmuq_str name;
	enum way way;
};

// clang-format off
static const struct rule rules[] = {
	{ PQ_RULE_CAPS,       STR("max_precise"),            WAY_MORE },
	{ PQ_RULE_CAPS,       STR("branches"),               WAY_MORE },
	{ PQ_RULE_CAPS,       STR("branch_counter_nr"),      WAY_MORE },
	{ PQ_RULE_CAPS,       STR("branch_counter_width"),   WAY_MORE },
	{ PQ_RULE_CAPS,       STR("threshold_max"),          WAY_MORE },
	{ PQ_RULE_ATTRIBUTES, STR("rdpmc"),                  WAY_MORE },
	{ PQ_RULE_ATTRIBUTES, STR("nr_addr_filters"),        WAY_MORE },
	/* How often events take turns, which may be set at any time. */
	{ PQ_RULE_ATTRIBUTES, STR("perf_event_mux_interval_ms"), WAY_COSMETIC },
	{ PQ_RULE_FACTS,      STR("cpus_present"),           WAY_CPUS },
	{ PQ_RULE_FACTS,      STR("cpus_online"),            WAY_CPUS },
	{ PQ_RULE_FACTS,      STR("perf_event_paranoid"),    WAY_LESS },
	{ PQ_RULE_FACTS,      STR("perf_event_mlock_kb"),    WAY_MORE },
	{ PQ_RULE_FACTS,      STR("perf_event_max_stack"),   WAY_MORE },
	/* It takes a counter of each CPU. */
	{ PQ_RULE_FACTS,      STR("nmi_watchdog"),           WAY_LESS },
	/* The kernel lowers it by itself when interrupts take long. */
	{ PQ_RULE_FACTS,      STR("perf_event_max_sample_rate"), WAY_PASSING },
	{ PQ_RULE_FACTS,      STR("kernel"),                 WAY_COSMETIC },
	{ PQ_RULE_FACTS,      STR("hypervisor"),             WAY_COSMETIC },
	{ PQ_RULE_FACTS,      STR("arch"),                   WAY_OTHER },
	{ PQ_RULE_FACTS,      STR("cpuid"),                  WAY_OTHER },
	/* "assumed" where nobody could ask the kernel. */
	{ PQ_RULE_FACTS,      STR("extended_type"),          WAY_COSMETIC },
};
// clang-format on

/* A fact that is not in the table says who and when, as hostname, machine_id and boot_id do. */
static enum way way_of(enum pq_rule_kind kind, struct pmuq_str name)
{
	for (size_t i = 0; i < COUNT(rules); i++)
		if (rules[i].kind == kind && str_eq(rules[i].name, name))
			return rules[i].way;
	return kind == PQ_RULE_FACTS ? WAY_PASSING : WAY_OTHER;
}

/* Numbers here may be below zero: perf_event_paranoid is. */
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

enum pmuq_weight pq_rule_weigh_cpus(struct pmuq_str before, struct pmuq_str after)
{
	cleanup(pq_arena_clear) struct pq_arena arena = { 0 };
	struct pq_cpus a, b, both = { 0 };
	size_t n_a, n_b, n_both;

	pq_arena_init(&arena, NULL, 0, CPUS_MAX_BYTES);
	if (!pq_cpus_parse(&arena, before, &a) || !pq_cpus_parse(&arena, after, &b) ||
	    !pq_cpus_unite(&arena, &both, &a))
		return PMUQ_WEIGHT_MEANING;
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

enum pmuq_weight pq_rule_weigh(enum pq_rule_kind kind, struct pmuq_str name, struct pmuq_str before,
			       struct pmuq_str after)
{
	switch (way_of(kind, name)) {
	case WAY_MORE:
		return weigh_numbers(before, after, true);
	case WAY_LESS:
		return weigh_numbers(before, after, false);
	case WAY_CPUS:
		return pq_rule_weigh_cpus(before, after);
	case WAY_COSMETIC:
		return PMUQ_WEIGHT_COSMETIC;
	case WAY_PASSING:
		return PMUQ_WEIGHT_PASSING;
	case WAY_OTHER:
		break;
	}
	return PMUQ_WEIGHT_MEANING;
}

enum pmuq_weight pq_rule_weigh_alone(enum pq_rule_kind kind, struct pmuq_str name, bool is_gone)
{
	if (kind == PQ_RULE_FACTS)
		return way_of(kind, name) == WAY_PASSING ? PMUQ_WEIGHT_PASSING
							 : PMUQ_WEIGHT_COSMETIC;
	return is_gone ? PMUQ_WEIGHT_BREAKING : PMUQ_WEIGHT_ADDITION;
}
