/* SPDX-License-Identifier: MIT */
#include "core/catalog/fact.h"

static const struct {
	struct pmuq_str name;
	enum pq_fact_kind kind;
} facts[] = {
	{ .name = STR("hostname"), .kind = PQ_FACT_OWN },
	{ .name = STR("kernel") },
	{ .name = STR("arch") },
	{ .name = STR("cpuid") },
	{ .name = STR("cpus_present") },
	{ .name = STR("cpus_online") },
	{ .name = STR("perf_event_paranoid") },
	/* The kernel lowers it by itself when its interrupts take too long. */
	{ .name = STR("perf_event_max_sample_rate"), .kind = PQ_FACT_PASSING },
	{ .name = STR("perf_event_mlock_kb") },
	{ .name = STR("perf_event_max_stack") },
	{ .name = STR("nmi_watchdog") },
	{ .name = STR("boot_id"), .kind = PQ_FACT_PASSING },
	{ .name = STR("machine_id"), .kind = PQ_FACT_OWN },
	{ .name = STR("extended_type") },
	{ .name = STR("hypervisor") },
};

size_t pq_fact_rank(struct pmuq_str name)
{
	size_t i = 0;

	while (i < COUNT(facts) && !str_eq(name, facts[i].name))
		i++;
	return i;
}

enum pq_fact_kind pq_fact_kind(struct pmuq_str name)
{
	size_t rank = pq_fact_rank(name);

	return rank < COUNT(facts) ? facts[rank].kind : PQ_FACT_SHARED;
}

struct pmuq_str pq_fact_name(size_t rank)
{
	return rank < COUNT(facts) ? facts[rank].name : (struct pmuq_str){ 0 };
}
