/* SPDX-License-Identifier: MIT */
/*
 * Matches events with counters by augmenting paths: if an event finds all of its counters taken, an
 * event that has one of them is moved to another. If no path leads to a free counter, the counters
 * that were tried, and the events that have them, are the reason.
 *
 * Registers do not depend on counters, so they are checked first. Events that need two neighbours
 * are placed in each possible way.
 */
#include "fit/solve.h"
#include <string.h>

#define NOBODY UINT16_MAX

struct counter_matching {
	struct pq_fit_problem *problem;
	const bool *is_in;
	size_t alone; /* the first that must be alone; SIZE_MAX: none */
	bool are_several_alone;
	struct pq_counter_set blocked;	  /* by pairs */
	struct pq_counter_set tried;	  /* on the current path */
	uint16_t owners[PQ_FIT_COUNTERS]; /* events; n: the one that is always counted */
};

static const struct pq_fit_need *need_of(const struct pq_fit_problem *problem, size_t event)
{
	return event == problem->n ? problem->always : &problem->needs[event];
}

/* Of an event next to one that must be alone only fixed counters remain. */
static struct pq_counter_set counters_of(const struct counter_matching *matching, size_t event)
{
	struct pq_counter_set set = need_of(matching->problem, event)->counters;

	if (matching->alone != SIZE_MAX &&
	    (matching->are_several_alone || matching->alone != event))
		set.generic = 0;
	return set;
}

static void set_add(struct pq_counter_set *set, unsigned counter)
{
	if (counter < PQ_FIT_FIXED)
		set->generic |= UINT64_C(1) << counter;
	else
		set->fixed |= UINT64_C(1) << (counter - PQ_FIT_FIXED);
}

/* The first counter of the set that was not tried, fixed ones first; PQ_FIT_NO_COUNTER: none. */
static unsigned next_counter(struct pq_counter_set set, struct pq_counter_set tried)
{
	set.generic &= ~tried.generic;
	set.fixed &= ~tried.fixed;
	if (set.fixed)
		return PQ_FIT_FIXED + (unsigned)__builtin_ctzll(set.fixed);
	return set.generic ? (unsigned)__builtin_ctzll(set.generic) : PQ_FIT_NO_COUNTER;
}

/* Takes a counter that no event has. */
static bool take_free(struct counter_matching *matching, size_t event, struct pq_counter_set set)
{
	struct pq_counter_set others = matching->tried;
	unsigned counter;

	while ((counter = next_counter(set, others)) != PQ_FIT_NO_COUNTER) {
		matching->problem->steps++;
		set_add(&others, counter);
		if (matching->owners[counter] == NOBODY) {
			matching->owners[counter] = (uint16_t)event;
			return true;
		}
	}
	return false;
}

/* No deeper than there are counters. */
static bool augment(struct counter_matching *matching, size_t event)
{
	struct pq_counter_set set = counters_of(matching, event);
	unsigned counter;

	if (take_free(matching, event, set))
		return true;
	while ((counter = next_counter(set, matching->tried)) != PQ_FIT_NO_COUNTER) {
		matching->problem->steps++;
		set_add(&matching->tried, counter);
		if (augment(matching, matching->owners[counter])) {
			matching->owners[counter] = (uint16_t)event;
			return true;
		}
	}
	return false;
}

static bool is_matched(const struct counter_matching *matching, size_t event)
{
	const struct pq_fit_need *need;

	if (event == matching->problem->n)
		return matching->problem->always;
	need = &matching->problem->needs[event];
	return matching->is_in[event] && !need->is_free && !need->is_pair;
}

/* Hall's theorem: these events have only these counters, which are fewer. */
static void explain(const struct counter_matching *matching, size_t event,
		    struct pq_fit_clash *clash)
{
	size_t n = matching->problem->n;

	clash->reason = PQ_FIT_REASON_COUNTERS;
	clash->counters = matching->tried;
	clash->n_events = 1;
	clash->has_always = event == n;
	if (clash->competes && event < n)
		clash->competes[event] = true;
	for (unsigned i = 0; i < PQ_FIT_COUNTERS; i++) {
		if (!pq_counter_set_has(matching->tried, i) || matching->owners[i] == NOBODY)
			continue;
		clash->n_events++;
		clash->has_always |= matching->owners[i] == n;
		if (clash->competes && matching->owners[i] < n)
			clash->competes[matching->owners[i]] = true;
	}
}

/* All events but pairs. The one that is always counted comes last: it is the one that does not
 * fit then. */
static bool match(struct counter_matching *matching, struct pq_fit_clash *clash)
{
	memset(matching->owners, 0xff, sizeof(matching->owners));
	for (size_t i = 0; i <= matching->problem->n; i++) {
		if (!is_matched(matching, i))
			continue;
		matching->tried = matching->blocked;
		if (augment(matching, i))
			continue;
		matching->tried.generic &= ~matching->blocked.generic;
		if (clash)
			explain(matching, i, clash);
		return false;
	}
	return true;
}

/* ---- pairs */

static size_t next_pair(const struct counter_matching *matching, size_t event)
{
	const struct pq_fit_problem *problem = matching->problem;

	while (event < problem->n && !(matching->is_in[event] && problem->needs[event].is_pair))
		event++;
	return event;
}

/* The last pair that was placed, and where. */
struct last_pair {
	size_t event;
	unsigned counter;
};

/* Of pairs that are alike only one order is tried. */
static unsigned first_counter(const struct counter_matching *matching, size_t event,
			      struct last_pair last)
{
	if (last.event == SIZE_MAX ||
	    counters_of(matching, last.event).generic != counters_of(matching, event).generic)
		return 0;
	return last.counter + 2;
}

/* Puts this pair and those after it in each way, until the other events fit. */
static bool place_pairs(struct counter_matching *matching, size_t event, struct last_pair last,
			uint8_t *counters)
{
	struct pq_fit_problem *problem = matching->problem;
	struct pq_counter_set blocked = matching->blocked;
	uint64_t set;

	event = next_pair(matching, event);
	if (event == problem->n)
		return match(matching, NULL);
	set = counters_of(matching, event).generic & ~blocked.generic;
	for (unsigned i = first_counter(matching, event, last); i < PQ_FIT_FIXED; i += 2) {
		if ((set >> i & 3) != 3)
			continue;
		problem->steps++;
		matching->blocked.generic = blocked.generic | UINT64_C(3) << i;
		if (place_pairs(matching, event + 1, (struct last_pair){ event, i }, counters)) {
			if (counters)
				counters[event] = (uint8_t)i;
			return true;
		}
	}
	matching->blocked = blocked;
	return false;
}

static void explain_pairs(const struct counter_matching *matching, struct pq_fit_clash *clash)
{
	const struct pq_fit_problem *problem = matching->problem;

	*clash =
		(struct pq_fit_clash){ .reason = PQ_FIT_REASON_PAIRS, .competes = clash->competes };
	for (size_t i = 0; i <= problem->n; i++) {
		bool is_pair = i < problem->n && matching->is_in[i] && problem->needs[i].is_pair;

		if (!is_pair && !is_matched(matching, i))
			continue;
		clash->n_events++;
		clash->has_always |= i == problem->n;
		clash->counters.generic |= counters_of(matching, i).generic;
		clash->counters.fixed |= counters_of(matching, i).fixed;
		if (clash->competes && i < problem->n)
			clash->competes[i] = true;
	}
}

static bool match_all(struct counter_matching *matching, uint8_t *counters,
		      struct pq_fit_clash *clash)
{
	if (next_pair(matching, 0) == matching->problem->n)
		return match(matching, clash);
	if (place_pairs(matching, 0, (struct last_pair){ SIZE_MAX, 0 }, counters))
		return true;
	if (clash)
		explain_pairs(matching, clash);
	return false;
}

/* ---- what does not depend on counters */

static const struct pq_fit_setting *setting_of(const struct pq_fit_need *need, size_t of)
{
	for (size_t i = 0; i < need->n_settings; i++)
		if (need->settings[i].of == of)
			return &need->settings[i];
	return NULL;
}

/* Whether an event before it sets the register to the same value. */
static bool is_repeated(struct pq_fit_problem *problem, const bool *is_in, size_t event, size_t of,
			uint64_t value)
{
	for (size_t i = 0; i < event; i++) {
		const struct pq_fit_setting *setting =
			is_in[i] ? setting_of(&problem->needs[i], of) : NULL;

		problem->steps++;
		if (setting && setting->value == value)
			return true;
	}
	return false;
}

static bool register_suffices(struct pq_fit_problem *problem, const bool *is_in, size_t of,
			      struct pq_fit_clash *clash)
{
	size_t n_values = 0, n_events = 0;

	for (size_t i = 0; i < problem->n; i++) {
		const struct pq_fit_setting *setting =
			is_in[i] ? setting_of(&problem->needs[i], of) : NULL;

		if (!setting)
			continue;
		n_events++;
		n_values += !is_repeated(problem, is_in, i, of, setting->value);
	}
	if (n_values <= problem->registers[of].n)
		return true;
	if (!clash)
		return false;
	*clash = (struct pq_fit_clash){ .reason = PQ_FIT_REASON_REGISTER,
					.of = of,
					.n_events = n_events,
					.competes = clash->competes };
	for (size_t i = 0; clash->competes && i < problem->n; i++)
		clash->competes[i] = is_in[i] && setting_of(&problem->needs[i], of);
	return false;
}

static bool refuse_event(size_t event, enum pq_fit_reason reason, struct pq_fit_clash *clash)
{
	if (!clash)
		return false;
	*clash = (struct pq_fit_clash){
		.reason = reason, .of = event, .n_events = 1, .competes = clash->competes
	};
	if (clash->competes)
		clash->competes[event] = true;
	return false;
}

/* Each event for itself: it has a counter, and the event that it needs. */
static bool check_events(const struct pq_fit_problem *problem, const bool *is_in,
			 struct pq_fit_clash *clash)
{
	for (size_t i = 0; i < problem->n; i++) {
		const struct pq_fit_need *need = &problem->needs[i];

		if (!is_in[i])
			continue;
		if (!need->is_free && pq_counter_set_is_empty(need->counters))
			return refuse_event(i, PQ_FIT_REASON_NO_COUNTER, clash);
		if (need->with != SIZE_MAX && (need->with >= problem->n || !is_in[need->with]))
			return refuse_event(i, PQ_FIT_REASON_WITHOUT, clash);
	}
	return true;
}

static void find_alone(struct counter_matching *matching)
{
	const struct pq_fit_problem *problem = matching->problem;

	matching->alone = SIZE_MAX;
	for (size_t i = 0; !problem->ignores_alone && i < problem->n; i++) {
		if (!matching->is_in[i] || !problem->needs[i].is_alone)
			continue;
		matching->are_several_alone = matching->alone != SIZE_MAX;
		if (!matching->are_several_alone)
			matching->alone = i;
		else
			break;
	}
}

static void give_counters(const struct counter_matching *matching, uint8_t *counters)
{
	for (unsigned i = 0; i < PQ_FIT_COUNTERS; i++)
		if (matching->owners[i] < matching->problem->n)
			counters[matching->owners[i]] = (uint8_t)i;
}

/* The reason is that events must be alone only if they would fit otherwise. */
static void blame_alone(struct counter_matching *matching, struct pq_fit_clash *clash)
{
	struct pq_fit_problem *problem = matching->problem;
	struct pq_fit_clash other = { .competes = clash->competes };

	if (clash->competes)
		memset(clash->competes, 0, problem->n);
	problem->ignores_alone = true;
	if (!pq_fit_together(problem, matching->is_in, NULL, &other)) {
		*clash = other;
	} else {
		clash->reason = PQ_FIT_REASON_ALONE;
		clash->of = matching->alone;
		for (size_t i = 0; clash->competes && i < problem->n; i++)
			clash->competes[i] = matching->is_in[i] && (!problem->needs[i].is_free ||
								    problem->needs[i].is_alone);
	}
	problem->ignores_alone = false;
}

bool pq_fit_together(struct pq_fit_problem *problem, const bool *is_in, uint8_t *counters,
		     struct pq_fit_clash *clash)
{
	struct counter_matching matching = { .problem = problem, .is_in = is_in };
	bool fits = check_events(problem, is_in, clash);

	if (counters)
		memset(counters, PQ_FIT_NO_COUNTER, problem->n);
	for (size_t i = 0; fits && i < problem->n_registers; i++)
		fits = register_suffices(problem, is_in, i, clash);
	if (!fits)
		return false;
	find_alone(&matching);
	if (match_all(&matching, counters, clash)) {
		if (counters)
			give_counters(&matching, counters);
		return true;
	}
	if (clash && matching.alone != SIZE_MAX)
		blame_alone(&matching, clash);
	return false;
}
