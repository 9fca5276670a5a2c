/* SPDX-License-Identifier: MIT */
/*
 * One set: what its events need, whether they can be counted together, and if not the smallest
 * split. The problem is solved twice: with the counters that can count an event for sure, and with
 * those that may.
 */
#include "core/freep.h"
#include "fit/fit_words.h"
#include <stdlib.h>

/* The problem, by what is sure or what is possible; `best` by what is sure if anything is. */
enum view { VIEW_SURE, VIEW_POSSIBLE, VIEW_BEST };

struct viewed {
	struct pq_fit_problem problem;
	struct pq_fit_need *needs, always;
	bool *all, *competes;
	uint8_t *counters;
};

static struct pq_fit_need need_of(const struct pq_fit_event *event, enum view view)
{
	bool is_sure = event->sure.is_free || !pq_counter_set_is_empty(event->sure.counters);

	return view == VIEW_SURE || (view == VIEW_BEST && is_sure) ? event->sure : event->possible;
}

static void see(const struct pq_fit_set *set, const struct pq_fit_event *watchdog, enum view view,
		struct viewed *viewed)
{
	size_t n = set->record.n_members;

	for (size_t i = 0; i < n; i++)
		viewed->needs[i] = need_of(&set->events[i], view);
	viewed->problem = (struct pq_fit_problem){
		.needs = viewed->needs,
		.n = n,
		.registers = set->registers.v,
		.n_registers = set->registers.n,
	};
	if (watchdog && (view != VIEW_POSSIBLE || set->pmu->counters.has_watchdog)) {
		viewed->always = need_of(watchdog, view);
		viewed->problem.always = &viewed->always;
	}
}

static size_t count_limited(const struct pq_fit_set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->record.n_members; i++)
		n += !set->events[i].sure.is_free;
	return n;
}

/* An event that has no rival fits, if any counter can count it. */
static enum pmuq_fit_status find_status(const struct pq_fit_set *set,
					const struct pq_fit_event *watchdog, bool ignores_alone,
					struct viewed *viewed, struct pq_fit_clash *clash)
{
	see(set, watchdog, VIEW_SURE, viewed);
	viewed->problem.ignores_alone = ignores_alone;
	if (pq_fit_together(&viewed->problem, viewed->all, viewed->counters, NULL))
		return PMUQ_FIT_YES;
	see(set, watchdog, VIEW_POSSIBLE, viewed);
	viewed->problem.ignores_alone = ignores_alone;
	if (!pq_fit_together(&viewed->problem, viewed->all, NULL, clash))
		return PMUQ_FIT_NO;
	return count_limited(set) < 2 ? PMUQ_FIT_YES : PMUQ_FIT_UNKNOWN;
}

/* The kernel's driver for Arm's PMUs matches only what would be enabled at once. A leader is opened
 * disabled, so it matches the others: a group that is one event too large opens. */
static enum pmuq_fit_status find_opens(const struct pq_fit_set *set, struct viewed *viewed)
{
	enum pmuq_fit_status all = find_status(set, NULL, true, viewed, NULL), others;
	bool *leader = NULL;

	for (size_t i = 0; i < set->record.n_members; i++)
		if (set->events[i].record.encoding == set->record.leader)
			leader = &viewed->all[i];
	if (all != PMUQ_FIT_NO || set->pmu->cpu != PQ_FIT_CPU_ARM || !leader)
		return all;
	*leader = false;
	others = find_status(set, NULL, true, viewed, NULL);
	*leader = true;
	return others == PMUQ_FIT_NO ? PMUQ_FIT_NO : PMUQ_FIT_UNKNOWN;
}

static bool print_counters_of_part(struct pq_fit_call *call, struct pq_fit_set *set,
				   const uint8_t *counters, size_t part)
{
	for (size_t i = 0; i < set->record.n_members; i++) {
		struct pmuq_fit_event *member = &set->events[i].record;

		if (member->part != part || counters[i] == PQ_FIT_NO_COUNTER)
			continue;
		member->counter = pq_fit_print_counter(call->arena, counters[i]);
		if (!member->counter.p)
			return false;
	}
	return true;
}

/* The smallest split, and the counter of each event in its part. */
static int split(struct pq_fit_call *call, struct pq_fit_set *set,
		 const struct pq_fit_event *watchdog, struct viewed *viewed)
{
	struct pmuq_fit_set *record = &set->record;
	auto_free size_t *parts = calloc(record->n_members, sizeof(*parts));

	see(set, watchdog, VIEW_BEST, viewed);
	if (!parts ||
	    !pq_fit_split(&viewed->problem, parts, &record->n_parts, &record->is_smallest))
		return pq_fail_memory(call->machine->reterr);
	for (size_t i = 0; record->n_parts && i < record->n_members; i++)
		set->events[i].record.part = parts[i];
	for (size_t part = 0; part < record->n_parts; part++) {
		for (size_t i = 0; i < record->n_members; i++)
			viewed->all[i] = parts[i] == part;
		pq_fit_together(&viewed->problem, viewed->all, viewed->counters, NULL);
		if (!print_counters_of_part(call, set, viewed->counters, part))
			return pq_fail_memory(call->machine->reterr);
	}
	record->split = pq_fit_print_split(call->arena, set);
	return record->split.p ? 0 : pq_fail_memory(call->machine->reterr);
}

static int resolve(struct pq_fit_call *call, struct pq_fit_set *set,
		   const struct pq_fit_event *watchdog, struct viewed *viewed)
{
	struct pq_fit_clash clash = { .competes = viewed->competes };
	struct pmuq_fit_set *record = &set->record;
	bool has_memory = true;
	int r = 0;

	record->opens = record->leader == SIZE_MAX ? PMUQ_FIT_YES : find_opens(set, viewed);
	record->counts = find_status(set, watchdog, false, viewed, &clash);
	if (record->counts == PMUQ_FIT_YES) {
		record->n_parts = 1;
		has_memory = print_counters_of_part(call, set, viewed->counters, 0);
	} else if (record->counts == PMUQ_FIT_UNKNOWN) {
		record->reason = pq_fit_print_unknown(call->arena, set);
	} else {
		for (size_t i = 0; i < record->n_members; i++)
			set->events[i].record.competes = viewed->competes[i];
		record->reason = pq_fit_print_clash(call->arena, set, &clash);
		r = split(call, set, watchdog, viewed);
	}
	return r < 0 || (record->reason.p && has_memory) ? r
							 : pq_fail_memory(call->machine->reterr);
}

/* Memory of the scratch of a set lives as long as the result: sets are small. */
static int solve(struct pq_fit_call *call, struct pq_fit_set *set,
		 const struct pq_fit_event *watchdog)
{
	size_t n = set->record.n_members;
	struct viewed viewed = {
		.needs = pq_arena_array(call->arena, n, sizeof(*viewed.needs)),
		.all = pq_arena_array(call->arena, n, 1),
		.competes = pq_arena_array(call->arena, n, 1),
		.counters = pq_arena_array(call->arena, n, 1),
	};

	if (!viewed.needs || !viewed.all || !viewed.competes || !viewed.counters)
		return pq_fail_memory(call->machine->reterr);
	memset(viewed.all, 1, n);
	return resolve(call, set, watchdog, &viewed);
}

/* ---- the members of a set */

static int find_watchdog(struct pq_fit_call *call, struct pq_fit_pmu *pmu, struct pq_fit_event *ret,
			 bool *ret_has)
{
	const struct pmuq_attr cycles = { .type = 0 };
	struct pq_fit_registers none = { 0 };

	*ret_has = pmu && (pmu->counters.has_watchdog || pmu->may_have_watchdog);
	return *ret_has ? pq_fit_constrain(call->machine, call->arena, pmu, &cycles, &none, ret)
			: 0;
}

static struct pmuq_str words_of(struct pq_arena *arena, const struct pq_fit_event *event)
{
	struct pq_counter_set set = event->sure.counters;

	if (event->is_own)
		return STR("own");
	if (event->sure.is_free)
		return STR("none");
	return pq_fit_print_counters(arena, set);
}

/* Members on another PMU than the set's need none of its counters. */
static int constrain(struct pq_fit_call *call, struct pq_fit_set *set, size_t index)
{
	struct pq_fit_event *event = &set->events[index];
	const struct pq_encoding *encoding = pq_fit_at(call, event->record.encoding);
	int r = 0;

	event->record.size = sizeof(event->record);
	event->record.needs = event->record.counter = STR("");
	event->record.is_added = encoding->record.is_added;
	event->sure.with = event->possible.with = SIZE_MAX;
	if (set->pmu && encoding->on == set->pmu->pmu)
		r = pq_fit_constrain(call->machine, call->arena, set->pmu, &encoding->attr,
				     &set->registers, event);
	else
		event->sure.is_free = event->possible.is_free = true;
	event->record.counters = words_of(call->arena, event);
	return r < 0 || event->record.counters.p ? r : pq_fail_memory(call->machine->reterr);
}

/* Topdown metrics are read with slots: they must be in its group. */
static void link_topdown(struct pq_fit_set *set)
{
	size_t slots = set->record.n_members;

	for (size_t i = 0; i < set->record.n_members; i++)
		if (set->events[i].is_slots)
			slots = i;
	for (size_t i = 0; i < set->record.n_members; i++)
		if (set->events[i].is_topdown)
			set->events[i].sure.with = set->events[i].possible.with = slots;
}

/* The members of a set in the string. */
static struct pq_span span_of(const struct pq_fit_call *call, const struct pq_fit_set *set)
{
	size_t begin = SIZE_MAX, end = 0;

	for (size_t i = 0; i < set->record.n_members; i++) {
		const struct pmuq_encoding *one =
			&pq_fit_at(call, set->events[i].record.encoding)->record;

		begin = one->offset < begin ? one->offset : begin;
		end = one->offset + one->length > end ? one->offset + one->length : end;
	}
	return (struct pq_span){ (uint32_t)begin, (uint32_t)(end - begin) };
}

/* A tool opens the members of a weak group alone if the kernel refuses the group. */
static bool is_split_anyway(const struct pq_fit_call *call, const struct pq_fit_set *set)
{
	const struct pq_encoding *leader = pq_fit_at(call, set->record.leader);

	return set->record.opens == PMUQ_FIT_NO &&
	       pq_tool_term_find(&leader->tool_terms, "weak_group");
}

static int refuse(struct pq_fit_call *call, struct pq_fit_set *set)
{
	struct pmuq_error *error = NULL;
	int r;

	if (set->record.counts != PMUQ_FIT_NO || set->record.leader == SIZE_MAX ||
	    is_split_anyway(call, set))
		return 0;
	r = pq_fail_span(&error, span_of(call, set), PMUQ_E_GROUP_DOES_NOT_FIT,
			 "the group never counts: %s", set->record.reason.p);
	if (r == -PMUQ_E_MEMORY)
		return pq_fail_memory(call->machine->reterr);
	if (set->record.n_parts)
		pq_error_hint(&error, "%s that fit: %s",
			      set->record.is_smallest ? "the fewest groups" : "groups",
			      set->record.split.p);
	pq_error_input(&error, call->encodings->input);
	set->record.warning = set->error = error;
	return pq_error_make_warning(&error) ? 0 : pq_fail_memory(call->machine->reterr);
}

int pq_fit_fill_set(struct pq_fit_call *call, struct pq_fit_set *set)
{
	struct pq_fit_event watchdog = { 0 };
	bool has_watchdog = false;
	int r = 0;

	for (size_t i = 0; r == 0 && i < set->record.n_members; i++) {
		r = constrain(call, set, i);
		set->record.n_counters +=
			set->events[i].sure.is_free ? 0 : 1 + set->events[i].sure.is_pair;
	}
	link_topdown(set);
	if (r == 0)
		r = find_watchdog(call, set->pmu, &watchdog, &has_watchdog);
	if (r < 0)
		return r;
	if (set->record.n_members > PQ_FIT_EVENTS_MAX) {
		set->record.reason = pq_fit_print_unknown(call->arena, set);
		return set->record.reason.p ? 0 : pq_fail_memory(call->machine->reterr);
	}
	r = solve(call, set, has_watchdog ? &watchdog : NULL);
	return r < 0 ? r : refuse(call, set);
}
