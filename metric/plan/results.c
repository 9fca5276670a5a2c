/* SPDX-License-Identifier: MIT */
/*
 * What a plan gives: a value for each metric, or, on a machine with several core PMUs, one for each
 * of them that counts its events.
 */
#include "metric/plan/plan.h"

static bool is_core(const struct pmuq_metric_plan *plan, struct pmuq_str pmu)
{
	for (size_t i = 0; i < plan->cores.n; i++)
		if (str_eq(plan->cores.v[i], pmu))
			return true;
	return false;
}

/* Whether the encoding is of the event, and its count is a part of the event's count on that core
 * PMU ("": on all). Events of other PMUs are of every core PMU. */
static bool is_part(const struct pmuq_metric_plan *plan, const struct pmuq_metric_event *event,
		    const struct pmuq_encoding *encoding, struct pmuq_str pmu)
{
	return encoding->event == event->event && !encoding->is_added &&
	       (!pmu.n || str_eq(encoding->pmu, pmu) || !is_core(plan, encoding->pmu));
}

PQ_API bool pmuq_metric_plan_counts(const struct pmuq_metric_plan *plan, size_t index, size_t event,
				    const struct pmuq_encoding *encoding)
{
	return index < plan->planned.n && event < plan->events.n &&
	       is_part(plan, &plan->events.v[event].record, encoding,
		       plan->planned.v[index].record.pmu);
}

/* How many parts the count of an event has on a core PMU; *ret_cores: of them on core PMUs. */
static size_t count_parts(const struct pmuq_metric_plan *plan, size_t index, struct pmuq_str pmu,
			  size_t *ret_cores)
{
	const struct pmuq_metric_event *event = &plan->events.v[index].record;
	const struct pmuq_encoding *encoding;
	size_t n = 0;

	*ret_cores = 0;
	if (event->list == SIZE_MAX)
		return 1;
	for (size_t i = 0; (encoding = pmuq_encodings_get(plan->lists.v[event->list].encodings, i));
	     i++)
		if (is_part(plan, event, encoding, pmu)) {
			n++;
			*ret_cores += is_core(plan, encoding->pmu);
		}
	return n;
}

/* Whether a metric has a value of that core PMU: all of its events have counts for it, and one of
 * them on it. */
static bool counts_on(const struct pmuq_metric_plan *plan, const struct pq_root *root,
		      struct pmuq_str pmu)
{
	size_t n_cores, sum = 0;

	for (size_t i = 0; i < root->events.n; i++) {
		if (!count_parts(plan, root->events.v[i], pmu, &n_cores))
			return false;
		sum += n_cores;
	}
	return sum > 0;
}

/* Topdown metrics are counted with slots, which is added if the metric does not have it. */
static size_t count_counters(const struct pmuq_metric_plan *plan, const struct pq_root *root)
{
	bool has_slots = false, has_topdown = false;
	size_t n = 0;

	for (size_t i = 0; i < root->needs.n; i++) {
		const struct pq_fit_cost *cost = &plan->needs.v[root->needs.v[i]].cost;

		n += cost->n;
		has_slots |= cost->is_slots;
		has_topdown |= cost->is_topdown;
	}
	return n + (has_topdown && !has_slots);
}

static int add_result(struct pq_planner *planner, const struct pq_root *root, struct pmuq_str pmu)
{
	const struct pq_planned planned = {
		.record = {
			.size = sizeof(planned.record),
			.metric = &root->metric->record,
			.modifiers = root->modifiers,
			.pmu = pmu,
			.events = root->events.v,
			.n_events = root->events.n,
			.error = root->error,
			.n_counters = count_counters(planner->plan, root),
		},
		.root = root,
	};

	if (!pq_vec_push_in(&planner->plan->arena, &planner->plan->planned, planned))
		return pq_fail_memory(planner->reterr);
	return 0;
}

static int add_results(struct pq_planner *planner, const struct pq_root *root)
{
	const struct pmuq_metric_plan *plan = planner->plan;
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && !root->error && i < plan->cores.n; i++)
		if (counts_on(plan, root, plan->cores.v[i])) {
			r = add_result(planner, root, plan->cores.v[i]);
			n++;
		}
	return r < 0 || n ? r : add_result(planner, root, STR(""));
}

/* Only if there are several. */
static int keep_cores(struct pq_planner *planner)
{
	struct pmuq_metric_plan *plan = planner->plan;
	struct pq_pmu_list cores = { 0 };
	int r = pq_query(planner, core_pmus, &cores);

	for (size_t i = 0; r >= 0 && cores.n > 1 && i < cores.n; i++) {
		struct pmuq_str name = pq_arena_str(&plan->arena, cores.v[i]->name);

		if (!name.p || !pq_vec_push_in(&plan->arena, &plan->cores, name))
			return pq_fail_memory(planner->reterr);
	}
	return r < 0 ? r : 0;
}

int pq_plan_results(struct pq_planner *planner)
{
	int r = keep_cores(planner);

	for (size_t i = 0; r == 0 && i < planner->plan->roots.n; i++)
		r = add_results(planner, &planner->plan->roots.v[i]);
	return r;
}
