/* SPDX-License-Identifier: MIT */
/*
 * Intel's topdown metrics: they count only in a group whose leader counts slots. pmuq recognises
 * them by their config, however they were written, on a core PMU of type 4 that has an event
 * "slots".
 */
#include "core/event/modifier.h"
#include "encode/attr/assign.h"
#include "encode/encode_lookup.h"
#include "encode/group/regroup.h"

#define SLOTS_CONFIG 0x400u
#define METRIC_CONFIG 0x8000u
/* Bits 8 to 10 are the number of the metric. perf does not look at the upper half. */
#define METRIC_MASK 0xfffff8ffu

static bool has_config(const struct pq_encoding *encoding)
{
	return encoding->attr.type == PQ_TYPE_RAW && !encoding->attr.config1;
}

bool pq_topdown_is_slots(const struct pq_encoding *encoding)
{
	return has_config(encoding) && encoding->attr.config == SLOTS_CONFIG;
}

bool pq_topdown_is_metric(const struct pq_encoding *encoding)
{
	return has_config(encoding) && (encoding->attr.config & METRIC_MASK) == METRIC_CONFIG;
}

/* Whether the PMU has topdown metrics; on other PMUs the same bits mean something else. An event of
 * their type has a PMU, if only a placeholder. */
static int counts_slots(const struct pq_encoder *e, const struct pmuq_pmu *pmu, bool *ret)
{
	const struct pmuq_event *slots;
	int r = PQ_NONE;

	if (pmu->type == PQ_TYPE_RAW)
		r = pq_lookup_event(e, pmu, STR("slots"), &slots);
	*ret = r == 0;
	return r < 0 ? r : 0;
}

/* Whether the slots event has the term, too. As in perf, it gets those of modifiers, except X. */
static bool is_inherited(const struct pq_encoding *metric, const struct pq_tool_term *term)
{
	for (uint64_t letters = metric->modifiers; letters;) {
		const struct pq_modifier *modifier = pq_modifier_take(&letters);

		if (!modifier->stays && str_eq(str_of(modifier->tool_term), term->record.name))
			return true;
	}
	return false;
}

static void inherit_tool_terms(const struct pq_encoder *e, const struct pq_encoding *metric,
			       struct pq_encoding *slots)
{
	slots->tool_terms = (struct pq_tool_terms){ .n = 0 };
	for (size_t i = 0; i < metric->tool_terms.n; i++) {
		struct pq_tool_term *term;

		if (!is_inherited(metric, &metric->tool_terms.v[i]))
			continue;
		term = pq_vec_add_in(e->arena, &slots->tool_terms);
		if (term)
			*term = metric->tool_terms.v[i];
		else
			e->facts->failed = true;
	}
}

/* Adds a slots event after all other events: in the metric's group, and with its attr but for the
 * config. */
static int add_slots(const struct pq_encoder *e, size_t metric)
{
	struct pq_encoding *slots = pq_result_reserve(e->result, 1);

	if (!slots)
		return pq_fail_too_many(e, 1);
	*slots = e->result->v[metric];
	pq_encoding_own(slots);
	slots->record.name = STR("slots");
	slots->record.unit = STR("");
	slots->record.scale = STR("1");
	slots->record.description = STR("");
	slots->record.table = NULL;
	slots->record.is_added = true;
	slots->modifiers = 0;
	inherit_tool_terms(e, &e->result->v[metric], slots);
	pq_assign_anew(e, slots, PQ_FIELD_config);
	pq_assign_all(e, slots, PQ_FIELD_config, SLOTS_CONFIG, pq_cause_default(STR("slots")));
	if (!slots->record.n_members) {
		slots->record.leader = metric;
		slots->record.n_members = 2;
	}
	e->result->n++;
	return 0;
}

int pq_topdown_complete(const struct pq_encoder *e, bool *ret_is_used)
{
	size_t metric = SIZE_MAX;
	bool has_slots = false, counts = false;

	*ret_is_used = false;
	for (size_t i = 0; i < e->result->n; i++) {
		const struct pq_encoding *encoding = &e->result->v[i];
		bool is_metric, is_slots;
		int r;

		/* Most events are of another type. */
		if (!has_config(encoding))
			continue;
		is_metric = pq_topdown_is_metric(encoding);
		is_slots = pq_topdown_is_slots(encoding);
		if (!is_metric && !is_slots)
			continue;
		r = counts_slots(e, encoding->on, &counts);
		if (r < 0)
			return r;
		*ret_is_used |= counts;
		has_slots |= counts && is_slots;
		if (counts && is_metric && metric == SIZE_MAX)
			metric = i;
	}
	return metric != SIZE_MAX && !has_slots ? add_slots(e, metric) : 0;
}
