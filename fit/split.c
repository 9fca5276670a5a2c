/* SPDX-License-Identifier: MIT */
/*
 * Splits events into the fewest parts that can each be counted at the same time. A first split puts
 * each event into the first part that has a counter for it, the most demanding events first. Fewer
 * parts are then searched for exhaustively: what is a part stays one without some of its events, so
 * a part that does not fit is never extended. The search ends at a bound, since the problem is as
 * hard as coloring a graph.
 */
#include "core/freep.h"
#include "fit/solve.h"
#include <string.h>

struct splitting {
	struct pq_fit_problem *problem;
	size_t *order; /* heads of units: an event, and those that must be with it */
	size_t n_units;
	size_t *parts; /* of each event; SIZE_MAX: not placed yet */
	size_t *best;
	bool *is_in; /* scratch */
};

static size_t head_of(const struct pq_fit_problem *problem, size_t event)
{
	size_t with = problem->needs[event].with;

	return with < problem->n ? with : event;
}

static void place(struct splitting *splitting, size_t head, size_t part)
{
	for (size_t i = 0; i < splitting->problem->n; i++)
		if (head_of(splitting->problem, i) == head)
			splitting->parts[i] = part;
}

static bool part_fits(struct splitting *splitting, size_t part)
{
	for (size_t i = 0; i < splitting->problem->n; i++)
		splitting->is_in[i] = splitting->parts[i] == part;
	splitting->problem->steps += splitting->problem->n;
	return pq_fit_together(splitting->problem, splitting->is_in, NULL, NULL);
}

static bool try_part(struct splitting *splitting, size_t head, size_t part)
{
	place(splitting, head, part);
	if (part_fits(splitting, part))
		return true;
	place(splitting, head, SIZE_MAX);
	return false;
}

/* How hard an event is to place: the fewer the counters, the harder; registers come before. */
static unsigned demand(const struct pq_fit_need *need)
{
	unsigned n = PQ_FIT_COUNTERS - pq_counter_set_count(need->counters);

	if (need->is_free)
		n = 0;
	return n + (need->n_settings ? 1000 : 0) + (need->is_pair ? 2000 : 0) +
	       (need->is_alone ? 4000 : 0);
}

/* The most demanding first; equal ones in their order. */
static void sort_units(struct splitting *splitting)
{
	const struct pq_fit_problem *problem = splitting->problem;

	for (size_t i = 0; i < problem->n; i++) {
		size_t at = splitting->n_units;

		if (head_of(problem, i) != i)
			continue;
		for (; at > 0 && demand(&problem->needs[splitting->order[at - 1]]) <
					 demand(&problem->needs[i]);
		     at--)
			splitting->order[at] = splitting->order[at - 1];
		splitting->order[at] = i;
		splitting->n_units++;
	}
}

/* The number of parts; 0 if an event does not fit even alone. */
static size_t split_greedily(struct splitting *splitting)
{
	size_t n = 0;

	for (size_t i = 0; i < splitting->n_units; i++) {
		size_t part = 0;

		while (part < n && !try_part(splitting, splitting->order[i], part))
			part++;
		if (part == n && !try_part(splitting, splitting->order[i], n++))
			return 0;
	}
	return n;
}

/* Puts the units from `unit` on into at most `n` parts, of which `n_used` have some. A new part
 * is tried once, since empty parts are all alike. */
static bool search(struct splitting *splitting, size_t unit, size_t n_used, size_t n)
{
	if (unit == splitting->n_units)
		return true;
	for (size_t part = 0; part < n && part <= n_used; part++) {
		if (splitting->problem->steps > PQ_FIT_STEPS_MAX)
			return false;
		if (!try_part(splitting, splitting->order[unit], part))
			continue;
		if (search(splitting, unit + 1, n_used + (part == n_used), n))
			return true;
		place(splitting, splitting->order[unit], SIZE_MAX);
	}
	return false;
}

static bool is_within(const struct pq_fit_need *need, struct pq_counter_set set)
{
	return !need->is_free && !(need->counters.generic & ~set.generic) &&
	       !(need->counters.fixed & ~set.fixed);
}

/* Events that have no counters but these need so many parts. */
static size_t parts_for(const struct pq_fit_problem *problem, struct pq_counter_set set)
{
	size_t n = 0, n_counters = pq_counter_set_count(set);

	for (size_t i = 0; i < problem->n; i++)
		n += is_within(&problem->needs[i], set);
	if (problem->always && n_counters > 1)
		n_counters -= is_within(problem->always, set);
	return n_counters ? (n + n_counters - 1) / n_counters : 0;
}

/* No split has fewer parts: by the counters of each event, and by all counters. */
static size_t least_parts(const struct pq_fit_problem *problem)
{
	struct pq_counter_set all = { 0 };
	size_t least = 1, n;

	for (size_t i = 0; i < problem->n; i++) {
		n = parts_for(problem, problem->needs[i].counters);
		least = n > least ? n : least;
		all.generic |= problem->needs[i].counters.generic;
		all.fixed |= problem->needs[i].counters.fixed;
	}
	n = parts_for(problem, all);
	return n > least ? n : least;
}

static void number_parts(size_t *parts, size_t n, size_t n_parts, size_t *numbers)
{
	size_t next = 0;

	for (size_t i = 0; i < n_parts; i++)
		numbers[i] = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (numbers[parts[i]] == SIZE_MAX)
			numbers[parts[i]] = next++;
		parts[i] = numbers[parts[i]];
	}
}

static void split(struct splitting *splitting, size_t *ret_n, bool *ret_is_smallest)
{
	size_t n = splitting->problem->n, least, n_parts;

	memset(splitting->parts, 0xff, n * sizeof(*splitting->parts));
	sort_units(splitting);
	splitting->problem->steps = 0;
	n_parts = split_greedily(splitting);
	memcpy(splitting->best, splitting->parts, n * sizeof(*splitting->best));
	splitting->problem->steps = 0;
	least = least_parts(splitting->problem);
	for (; n_parts > least; n_parts--) {
		memset(splitting->parts, 0xff, n * sizeof(*splitting->parts));
		if (!search(splitting, 0, 0, n_parts - 1))
			break;
		memcpy(splitting->best, splitting->parts, n * sizeof(*splitting->best));
	}
	*ret_n = n_parts;
	*ret_is_smallest = splitting->problem->steps <= PQ_FIT_STEPS_MAX;
	if (n_parts)
		number_parts(splitting->best, n, n_parts, splitting->order);
}

bool pq_fit_split(struct pq_fit_problem *problem, size_t *parts, size_t *ret_n,
		  bool *ret_is_smallest)
{
	size_t n = problem->n + 1;
	auto_free size_t *order = calloc(n, sizeof(*order)), *tried = calloc(n, sizeof(*tried));
	auto_free bool *is_in = calloc(n, sizeof(*is_in));
	struct splitting splitting = {
		.problem = problem, .order = order, .parts = tried, .best = parts, .is_in = is_in
	};

	if (!order || !tried || !is_in)
		return false;
	split(&splitting, ret_n, ret_is_smallest);
	return true;
}
