/* SPDX-License-Identifier: MIT */
/*
 * Events and counters: the matching and the splits against a search of all assignments, on random
 * problems; and lists of counters as vendors write them.
 */
#include "cmocka_all.h"
#include "fit/machine.h"
#include "fit/solve.h"

#define N_EVENTS 7
#define N_COUNTERS 6
#define N_REGISTERS 2
#define N_PROBLEMS 20000

/* A number below n; the same sequence in each run. */
static unsigned draw(uint64_t *state, unsigned n)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(*state >> 33) % n;
}

struct drawn {
	struct pq_fit_need needs[N_EVENTS], always;
	struct pq_fit_setting settings[N_EVENTS];
	struct pq_fit_register registers[N_REGISTERS];
	struct pq_fit_problem problem;
};

static void draw_need(uint64_t *state, struct pq_fit_need *need, struct pq_fit_setting *setting)
{
	/* Fixed counters are the last two. */
	*need = (struct pq_fit_need){ .counters = { draw(state, 16), draw(state, 4) },
				      .with = SIZE_MAX };
	if (draw(state, 3))
		need->counters.fixed = 0;
	if (draw(state, 3) == 0)
		need->counters.generic = 15;
	need->is_free = draw(state, 10) == 0;
	need->is_pair = !need->is_free && draw(state, 8) == 0;
	need->is_alone = draw(state, 20) == 0;
	if (draw(state, 3) == 0) {
		*setting = (struct pq_fit_setting){ draw(state, N_REGISTERS), draw(state, 3) };
		need->settings = setting;
		need->n_settings = 1;
	}
}

static void draw_problem(uint64_t *state, struct drawn *ret)
{
	size_t n = 1 + draw(state, N_EVENTS);

	for (size_t i = 0; i < n; i++)
		draw_need(state, &ret->needs[i], &ret->settings[i]);
	for (size_t i = 1; i < n; i++)
		if (draw(state, 12) == 0 && ret->needs[0].with == SIZE_MAX)
			ret->needs[i].with = 0;
	ret->registers[0] = (struct pq_fit_register){ STR("one"), 1 };
	ret->registers[1] = (struct pq_fit_register){ STR("two"), 2 };
	ret->always = (struct pq_fit_need){ .counters = { 15, 2 }, .with = SIZE_MAX };
	ret->problem = (struct pq_fit_problem){
		.needs = ret->needs,
		.n = n,
		.registers = ret->registers,
		.n_registers = N_REGISTERS,
		.always = draw(state, 2) ? &ret->always : NULL,
		.ignores_alone = draw(state, 2),
	};
}

/* ---- by trying everything: the counters that are taken are bits, the fixed ones from 4 on */

static bool may_use(const struct drawn *drawn, const bool *is_in, size_t event, unsigned counter)
{
	const struct pq_fit_problem *problem = &drawn->problem;
	const struct pq_fit_need *need =
		event == problem->n ? problem->always : &drawn->needs[event];

	for (size_t i = 0; counter < 4 && !problem->ignores_alone && i < problem->n; i++)
		if (is_in[i] && drawn->needs[i].is_alone && i != event)
			return false;
	return counter < 4 ? need->counters.generic >> counter & 1
			   : need->counters.fixed >> (counter - 4) & 1;
}

static bool try_all(const struct drawn *drawn, const bool *is_in, size_t event, unsigned taken)
{
	const struct pq_fit_problem *problem = &drawn->problem;
	const struct pq_fit_need *need =
		event >= problem->n ? problem->always : &drawn->needs[event];

	if (event > problem->n || (event == problem->n && !need))
		return true;
	if (event < problem->n && (!is_in[event] || need->is_free))
		return try_all(drawn, is_in, event + 1, taken);
	for (unsigned i = 0; i < N_COUNTERS; i++) {
		unsigned bits = need->is_pair ? 3u << i : 1u << i;

		if (need->is_pair && (i > 2 || i % 2 || !may_use(drawn, is_in, event, i + 1)))
			continue;
		if (may_use(drawn, is_in, event, i) && !(taken & bits) &&
		    try_all(drawn, is_in, event + 1, taken | bits))
			return true;
	}
	return false;
}

static bool has_registers(const struct drawn *drawn, const bool *is_in)
{
	for (size_t of = 0; of < N_REGISTERS; of++) {
		unsigned values = 0;

		for (size_t i = 0; i < drawn->problem.n; i++)
			if (is_in[i] && drawn->needs[i].n_settings && drawn->settings[i].of == of)
				values |= 1u << drawn->settings[i].value;
		if ((size_t)__builtin_popcount(values) > drawn->registers[of].n)
			return false;
	}
	return true;
}

static bool fits(const struct drawn *drawn, const bool *is_in)
{
	for (size_t i = 0; i < drawn->problem.n; i++)
		if (is_in[i] && drawn->needs[i].with != SIZE_MAX && !is_in[drawn->needs[i].with])
			return false;
	return has_registers(drawn, is_in) && try_all(drawn, is_in, 0, 0);
}

/* The fewest parts, by trying each part for each event; SIZE_MAX: none. */
static size_t fewest(const struct drawn *drawn, size_t *parts, size_t event, size_t n_parts,
		     size_t best)
{
	size_t n = drawn->problem.n;

	if (event == n) {
		for (size_t part = 0; part < n_parts; part++) {
			bool is_in[N_EVENTS];

			for (size_t i = 0; i < n; i++)
				is_in[i] = parts[i] == part;
			if (!fits(drawn, is_in))
				return best;
		}
		return n_parts < best ? n_parts : best;
	}
	for (size_t part = 0; part <= n_parts && part < best; part++) {
		parts[event] = part;
		best = fewest(drawn, parts, event + 1, n_parts + (part == n_parts), best);
	}
	return best;
}

/* ---- laws */

/* The counters that the events get are a proof. */
static void check_counters(const struct drawn *drawn, const bool *is_in, const uint8_t *counters)
{
	uint64_t taken = 0;

	for (size_t i = 0; i < drawn->problem.n; i++) {
		unsigned counter = counters[i];
		uint64_t bits;

		if (!is_in[i] || drawn->needs[i].is_free) {
			assert_int_equal(counter, PQ_FIT_NO_COUNTER);
			continue;
		}
		counter = counter >= PQ_FIT_FIXED ? counter - PQ_FIT_FIXED + 4 : counter;
		assert_true(may_use(drawn, is_in, i, counter));
		bits = (drawn->needs[i].is_pair ? UINT64_C(3) : 1) << counter;
		assert_false(taken & bits);
		taken |= bits;
	}
}

/* What competes does not fit either, without the rest. */
static void check_clash(const struct drawn *drawn, const bool *is_in,
			const struct pq_fit_clash *clash)
{
	bool competing[N_EVENTS];

	assert_int_not_equal(clash->reason, PQ_FIT_REASON_NONE);
	for (size_t i = 0; i < drawn->problem.n; i++) {
		competing[i] = clash->competes[i];
		assert_true(is_in[i] || !competing[i]);
	}
	assert_false(fits(drawn, competing));
}

static void agrees_with_brute_force(void **state)
{
	uint64_t random = 7;
	size_t n_fit = 0;

	(void)state;
	for (size_t k = 0; k < N_PROBLEMS; k++) {
		bool is_in[N_EVENTS], competes[N_EVENTS] = { 0 };
		struct pq_fit_clash clash = { .competes = competes };
		uint8_t counters[N_EVENTS];
		struct drawn drawn;
		bool together;

		draw_problem(&random, &drawn);
		for (size_t i = 0; i < drawn.problem.n; i++)
			is_in[i] = draw(&random, 6);
		together = pq_fit_together(&drawn.problem, is_in, counters, &clash);
		assert_int_equal(together, fits(&drawn, is_in));
		if (together)
			check_counters(&drawn, is_in, counters);
		else
			check_clash(&drawn, is_in, &clash);
		n_fit += together;
	}
	/* Both results are frequent. */
	assert_in_range(n_fit, N_PROBLEMS / 10, N_PROBLEMS * 9 / 10);
}

static void splits_are_smallest(void **state)
{
	uint64_t random = 11;

	(void)state;
	for (size_t k = 0; k < N_PROBLEMS / 20; k++) {
		size_t parts[N_EVENTS], tried[N_EVENTS], n_parts, best;
		bool is_smallest;
		struct drawn drawn;

		draw_problem(&random, &drawn);
		best = fewest(&drawn, tried, 0, 0, SIZE_MAX);
		assert_true(pq_fit_split(&drawn.problem, parts, &n_parts, &is_smallest));
		assert_true(is_smallest);
		assert_int_equal(n_parts, best == SIZE_MAX ? 0 : best);
		for (size_t part = 0; part < n_parts; part++) {
			bool is_in[N_EVENTS];

			for (size_t i = 0; i < drawn.problem.n; i++)
				is_in[i] = parts[i] == part;
			assert_true(fits(&drawn, is_in));
		}
		assert_true(!n_parts || parts[0] == 0);
	}
}

/* A search that would take years ends. */
static void search_is_bounded(void **state)
{
	struct pq_fit_need needs[64];
	struct pq_fit_problem problem = { .needs = needs, .n = 64 };
	size_t parts[64], n_parts;
	bool is_smallest;
	uint64_t random = 3;

	(void)state;
	for (size_t i = 0; i < 64; i++) {
		needs[i] = (struct pq_fit_need){ .with = SIZE_MAX };
		for (size_t k = 0; k < 3; k++)
			needs[i].counters.generic |= UINT64_C(1) << draw(&random, 24);
		needs[i].is_alone = i == 0;
	}
	assert_true(pq_fit_split(&problem, parts, &n_parts, &is_smallest));
	assert_in_range(n_parts, 3, 12);
	assert_in_range(problem.steps, 1, 2 * PQ_FIT_STEPS_MAX);
}

static void reads_lists(void **state)
{
	static const struct {
		const char *text;
		uint64_t generic, fixed;
		bool is_known, is_own;
	} lists[] = {
		{ "0,1,2,3", 15, 0, true, false },  { "2", 4, 0, true, false },
		{ "0, 10", 0x401, 0, true, false }, { "Fixed counter 2", 0, 4, true, false },
		{ "FIXED", 0, 1, true, false },	    { "Fixed", 0, 1, true, false },
		{ "FREERUN", 0, 0, true, true },    { "64", 0, 0, false, false },
		{ "", 0, 0, false, false },	    { "na", 0, 0, false, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++) {
		struct pq_counter_set set = { 0 };
		bool is_own;

		assert_int_equal(pq_fit_read_counters(str_of(lists[i].text), &set, &is_own),
				 lists[i].is_known);
		assert_int_equal(set.generic, lists[i].generic);
		assert_int_equal(set.fixed, lists[i].fixed);
		assert_int_equal(is_own, lists[i].is_own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_brute_force),
		cmocka_unit_test(splits_are_smallest),
		cmocka_unit_test(search_is_bounded),
		cmocka_unit_test(reads_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
