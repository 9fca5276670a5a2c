/* SPDX-License-Identifier: MIT */
/*
 * The public functions, and the sets of events that they are about: the members of a group, and all
 * events of a string on one PMU. Instances of a PMU with the same events have one set.
 */
#include "core/catalog/source.h"
#include "core/freep.h"
#include "core/instance.h"
#include "core/sized.h"
#include "fit/fit_set.h"
#include <stdlib.h>

struct pmuq_fit {
	struct pq_arena arena;
	PQ_VEC(struct pq_fit_set *) sets;
};

/* ---- PMUs */

static int find_pmu(struct pq_fit_call *call, const struct pmuq_pmu *pmu, struct pq_fit_pmu **ret)
{
	struct pq_fit_machine *machine = call->machine;
	struct pq_fit_pmu *found;

	for (size_t i = machine->pmus.n; i > 0; i--)
		if (machine->pmus.v[i - 1]->pmu == pmu) {
			*ret = machine->pmus.v[i - 1];
			return 0;
		}
	found = pq_arena_zero(machine->arena, sizeof(*found));
	if (!found || !pq_vec_push_in(machine->arena, &machine->pmus, found))
		return pq_fail_memory(machine->reterr);
	found->pmu = pmu;
	*ret = found;
	return pq_fit_find_kind(machine, found);
}

int pq_fit_find_cost(struct pq_fit_machine *machine, const struct pmuq_encodings *encodings,
		     struct pq_fit_cost *ret)
{
	struct pq_fit_call call = { .machine = machine, .encodings = encodings };
	const struct pmuq_pmu *last = NULL;
	int r = 0;

	*ret = (struct pq_fit_cost){ 0 };
	for (size_t i = 0; r == 0 && i < encodings->n; i++) {
		const struct pq_encoding *encoding = pq_fit_at(&call, i);
		struct pq_fit_pmu *pmu;

		if (!encoding->on || encoding->record.is_added ||
		    (last && pq_instance_are_siblings(last->name, encoding->on->name)))
			continue;
		last = encoding->on;
		r = find_pmu(&call, last, &pmu);
		if (r == 0)
			pq_fit_add_cost(pmu, &encoding->attr, ret);
	}
	return r;
}

/* ---- which events are a set */

/* Whether the previous set has the same events, on another instance of the PMU. */
static struct pq_fit_set *find_sibling(const struct pq_fit_call *call, const struct pmuq_pmu *pmu,
				       size_t leader, const size_t *members, size_t n)
{
	struct pq_fit_set *last;

	if (!call->fit->sets.n || !pmu)
		return NULL;
	last = call->fit->sets.v[call->fit->sets.n - 1];
	if (last->record.n_members != n || !last->pmu || last->pmu->pmu == pmu ||
	    !pq_instance_are_siblings(last->pmu->pmu->name, pmu->name) ||
	    (last->record.leader == SIZE_MAX) != (leader == SIZE_MAX))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (pq_fit_at(call, last->events[i].record.encoding)->record.event !=
		    pq_fit_at(call, members[i])->record.event)
			return NULL;
	return last;
}

static int add_set(struct pq_fit_call *call, const struct pmuq_pmu *pmu, size_t leader,
		   const size_t *members, size_t n)
{
	struct pq_fit_set *set = find_sibling(call, pmu, leader, members, n);
	struct pmuq_str name = STR("");
	int r = 0;

	if (set) {
		set->record.n_pmus++;
		return 0;
	}
	set = pq_arena_zero(call->arena, sizeof(*set));
	if (set)
		set->events = pq_arena_array(call->arena, n, sizeof(*set->events));
	if (pmu)
		name = pq_arena_str(call->arena, pmu->name);
	if (!set || !set->events || !name.p || !pq_vec_push_in(call->arena, &call->fit->sets, set))
		return pq_fail_memory(call->machine->reterr);
	set->encodings = call->encodings;
	set->record = (struct pmuq_fit_set){
		.size = sizeof(set->record),
		.pmu = name,
		.n_pmus = pmu ? 1 : 0,
		.leader = leader,
		.n_members = n,
		.reason = STR(""),
		.split = STR(""),
		.is_smallest = true,
	};
	for (size_t i = 0; i < n; i++)
		set->events[i].record.encoding = members[i];
	if (pmu)
		r = find_pmu(call, pmu, &set->pmu);
	return r < 0 ? r : pq_fit_fill_set(call, set);
}

/* A PMU whose counters events of the string need; NULL: none of these. */
static int find_limited(struct pq_fit_call *call, const struct pmuq_pmu *pmu, bool *ret)
{
	struct pq_fit_pmu *found;
	int r = pmu ? find_pmu(call, pmu, &found) : 0;

	*ret = r == 0 && pmu && !found->counters.is_unlimited;
	return r;
}

static bool is_first(const struct pq_fit_call *call, const size_t *members, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (pq_fit_at(call, members[i])->on == pq_fit_at(call, members[index])->on)
			return false;
	return true;
}

/* A set for each PMU of the group that has counters to compete for; one set if none has. */
static int add_group(struct pq_fit_call *call, size_t leader)
{
	size_t n = pq_fit_at(call, leader)->record.n_members, n_found = 0, n_sets = 0;
	auto_free size_t *members = calloc(n, sizeof(*members));
	bool is_limited = false;
	int r = 0;

	if (!members)
		return pq_fail_memory(call->machine->reterr);
	for (size_t i = leader; n_found < n && i < call->encodings->n; i++)
		if (pq_fit_at(call, i)->record.n_members &&
		    pq_fit_at(call, i)->record.leader == leader)
			members[n_found++] = i;
	for (size_t i = 0; r == 0 && i < n_found; i++) {
		const struct pmuq_pmu *on = pq_fit_at(call, members[i])->on;

		if (n_found > PQ_FIT_EVENTS_MAX ? i > 0 : !is_first(call, members, i))
			continue;
		r = find_limited(call, on, &is_limited);
		if (r < 0 || !is_limited)
			continue;
		n_sets++;
		r = add_set(call, on, leader, members, n_found);
	}
	return r < 0 || n_sets || !n_found ? r : add_set(call, NULL, leader, members, n_found);
}

/* ---- all events of a PMU */

/* An encoding by its PMU. */
struct of_pmu {
	const struct pmuq_pmu *on;
	size_t index;
};

static int compare_pmus(const void *a, const void *b)
{
	const struct of_pmu *x = a, *y = b;
	int order = x->on == y->on ? 0 : pq_pmu_compare(x->on, y->on);

	if (order)
		return order;
	return x->index < y->index ? -1 : x->index > y->index;
}

static bool is_one_group(const struct pq_fit_call *call, const size_t *members, size_t n)
{
	size_t leader = pq_fit_at(call, members[0])->record.leader;

	if (pq_fit_at(call, members[0])->record.n_members != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!pq_fit_at(call, members[i])->record.n_members ||
		    pq_fit_at(call, members[i])->record.leader != leader)
			return false;
	return true;
}

/* Events that are not in a group take turns if they do not fit. Those with cpu= may be on other
 * CPUs than their rivals. */
static int add_rivals(struct pq_fit_call *call, const struct of_pmu *rivals, size_t n)
{
	auto_free size_t *members = calloc(n, sizeof(*members));
	bool is_limited;
	int r;

	if (!members)
		return pq_fail_memory(call->machine->reterr);
	for (size_t i = 0; i < n; i++)
		members[i] = rivals[i].index;
	if (n > 1 && is_one_group(call, members, n))
		return 0;
	r = find_limited(call, rivals->on, &is_limited);
	return r < 0 || (!is_limited && pq_fit_at(call, members[0])->record.n_members)
		       ? r
		       : add_set(call, rivals->on, SIZE_MAX, members, n);
}

static int add_all_rivals(struct pq_fit_call *call)
{
	size_t n = 0, n_same;
	auto_free struct of_pmu *all = calloc(call->encodings->n + 1, sizeof(*all));
	int r = 0;

	if (!all)
		return pq_fail_memory(call->machine->reterr);
	for (size_t i = 0; i < call->encodings->n; i++)
		if (pq_fit_at(call, i)->on && !pq_fit_at(call, i)->is_limited)
			all[n++] = (struct of_pmu){ pq_fit_at(call, i)->on, i };
	qsort(all, n, sizeof(*all), compare_pmus);
	for (size_t i = 0; r == 0 && i < n; i += n_same) {
		for (n_same = 1; i + n_same < n && all[i + n_same].on == all[i].on;)
			n_same++;
		r = add_rivals(call, &all[i], n_same);
	}
	return r;
}

static int add_groups(struct pq_fit_call *call)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < call->encodings->n; i++)
		if (pq_fit_at(call, i)->record.n_members && pq_fit_at(call, i)->record.leader == i)
			r = add_group(call, i);
	return r;
}

static bool all_fit(const struct pmuq_fit *fit)
{
	for (size_t i = 0; i < fit->sets.n; i++)
		if (fit->sets.v[i]->record.counts != PMUQ_FIT_YES)
			return false;
	return true;
}

/* Other sets are of no use to the caller. */
static void keep_unfit(struct pmuq_fit *fit)
{
	size_t n = 0;

	for (size_t i = 0; i < fit->sets.n; i++)
		if (fit->sets.v[i]->record.counts == PMUQ_FIT_NO)
			fit->sets.v[n++] = fit->sets.v[i];
	fit->sets.n = n;
}

static int match(struct pq_fit_machine *machine, const struct pmuq_encodings *encodings,
		 bool wants_unfit_only, struct pmuq_fit **ret)
{
	struct pmuq_fit *fit = calloc(1, sizeof(*fit));
	struct pq_fit_call call = { .machine = machine, .encodings = encodings, .fit = fit };
	int r;

	if (!fit)
		return pq_fail_memory(machine->reterr);
	fit->arena = PQ_ARENA(PQ_FIT_MAX_BYTES);
	call.arena = &fit->arena;
	if (!machine->arena)
		machine->arena = &fit->arena;
	r = add_groups(&call);
	if (r == 0 && !wants_unfit_only)
		r = add_all_rivals(&call);
	*ret = fit;
	return r;
}

static int read_table(struct pq_fit_machine *machine)
{
	return machine->vendor ? pq_vendor_read_all(machine->vendor, machine->reterr) : 0;
}

/* With more events, an event can have more counters and not fewer: if groups fit with those that
 * were read for their names, they do with all. */
static int match_again(struct pq_fit_machine *machine, const struct pmuq_encodings *encodings,
		       struct pmuq_fit **fit)
{
	int r = read_table(machine);

	if (r < 0)
		return r;
	if (machine->arena == &(*fit)->arena)
		machine->arena = NULL;
	machine->pmus.v = NULL;
	machine->pmus.n = machine->pmus.capacity = 0;
	pmuq_fit_free(move(*fit));
	return match(machine, encodings, true, fit);
}

int pq_fit(struct pq_fit_machine *machine, const struct pmuq_encodings *encodings,
	   bool wants_unfit_only, struct pmuq_fit **ret)
{
	cleanup(pmuq_fit_freep) struct pmuq_fit *fit = NULL;
	int r = wants_unfit_only ? 0 : read_table(machine);

	if (r == 0)
		r = match(machine, encodings, wants_unfit_only, &fit);
	if (r == 0 && machine->vendor && !pq_vendor_is_read(machine->vendor) && !all_fit(fit))
		r = match_again(machine, encodings, &fit);
	if (r < 0)
		return r;
	if (wants_unfit_only)
		keep_unfit(fit);
	*ret = move(fit);
	return 0;
}

PQ_API int pmuq_source_fit(struct pmuq_source *source, const struct pmuq_encodings *encodings,
			   const struct pmuq_fit_options *options, struct pmuq_fit **ret,
			   struct pmuq_error **reterr)
{
	struct pq_fit_machine machine = { .lookup = source->lookup,
					  .source = source,
					  .reterr = reterr };
	struct pmuq_fit_options own;
	int r = pq_sized_take(options, &own, sizeof(own), reterr);

	if (r < 0)
		return r;
	machine.vendor = own.vendor;
	machine.watchdog = own.nmi_watchdog;
	return pq_fit(&machine, encodings, own.wants_unfit_only, ret);
}

PQ_API void pmuq_fit_free(struct pmuq_fit *fit)
{
	if (!fit)
		return;
	for (size_t i = 0; i < fit->sets.n; i++)
		pmuq_error_free(fit->sets.v[i]->error);
	pq_arena_clear(&fit->arena);
	free(fit);
}

PQ_API size_t pmuq_fit_count(const struct pmuq_fit *fit)
{
	return fit->sets.n;
}

PQ_API const struct pmuq_fit_set *pmuq_fit_get(const struct pmuq_fit *fit, size_t index)
{
	return index < fit->sets.n ? &fit->sets.v[index]->record : NULL;
}

PQ_API const struct pmuq_fit_event *pmuq_fit_member(const struct pmuq_fit *fit, size_t set,
						    size_t index)
{
	if (set >= fit->sets.n || index >= fit->sets.v[set]->record.n_members)
		return NULL;
	return &fit->sets.v[set]->events[index].record;
}

PQ_API const char *pmuq_fit_status_name(enum pmuq_fit_status status)
{
	static const char *const names[] = { "unknown", "yes", "no" };

	return (unsigned)status < COUNT(names) ? names[status] : NULL;
}
