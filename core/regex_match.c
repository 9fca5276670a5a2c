/* SPDX-License-Identifier: MIT */
/*
 * Runs the automaton of a regular expression: all states at once, each at most once for each byte.
 * So time is at most states times bytes, and memory does not depend on the text.
 */
#include "core/regex_states.h"

/* The states that wait for the same byte. */
struct waiting {
	uint16_t v[PQ_REGEX_MAX_STATES];
	size_t n;
};

struct matching {
	const struct pq_regex *regex;
	struct pmuq_str text;
	size_t at;
	bool is_match; /* the text up to `at` */
	/* 1 + the last position at which each state was reached. */
	size_t reached[PQ_REGEX_MAX_STATES];
	uint16_t stack[PQ_REGEX_MAX_STATES];
	size_t n_stack;
};

static void reach(struct matching *matching, size_t state)
{
	if (matching->reached[state] == matching->at + 1)
		return;
	matching->reached[state] = matching->at + 1;
	matching->stack[matching->n_stack++] = (uint16_t)state;
}

/* Adds `state` to the waiting states, or the states at which it continues. */
static void follow(struct matching *matching, size_t state, struct waiting *waiting)
{
	reach(matching, state);
	while (matching->n_stack) {
		size_t index = matching->stack[--matching->n_stack];
		const struct pq_regex_state *s = &matching->regex->states[index];
		size_t to = (size_t)((ptrdiff_t)index + s->to);

		switch ((enum pq_regex_type)s->type) {
		case PQ_REGEX_BEGIN:
			if (matching->at == 0)
				reach(matching, index + 1);
			break;
		case PQ_REGEX_END:
			if (matching->at == matching->text.n)
				reach(matching, index + 1);
			break;
		case PQ_REGEX_BRANCH:
			reach(matching, index + 1);
			reach(matching, to);
			break;
		case PQ_REGEX_JUMP:
			reach(matching, to);
			break;
		case PQ_REGEX_MATCH:
			matching->is_match = true;
			break;
		case PQ_REGEX_BYTE:
		case PQ_REGEX_ANY:
		case PQ_REGEX_SET:
			waiting->v[waiting->n++] = (uint16_t)index;
			break;
		}
	}
}

static bool takes(const struct pq_regex *regex, const struct pq_regex_state *state,
		  unsigned char byte)
{
	switch ((enum pq_regex_type)state->type) {
	case PQ_REGEX_BYTE:
		return state->byte == byte;
	case PQ_REGEX_SET:
		return regex->sets[state->set].bits[byte / 8] & 1u << byte % 8;
	default:
		return true;
	}
}

size_t pq_regex_match(const struct pq_regex *regex, struct pmuq_str text, size_t start)
{
	struct matching matching = { .regex = regex, .text = text, .at = start };
	struct waiting lists[2], *now = &lists[0], *next = &lists[1];
	size_t longest = PQ_REGEX_NO_MATCH;

	now->n = 0;
	follow(&matching, 0, now);
	while (matching.at < text.n && now->n) {
		unsigned char byte = (unsigned char)text.p[matching.at];

		if (matching.is_match)
			longest = matching.at - start;
		matching.is_match = false;
		matching.at++;
		next->n = 0;
		for (size_t i = 0; i < now->n; i++)
			if (takes(regex, &regex->states[now->v[i]], byte))
				follow(&matching, now->v[i] + 1u, next);
		now = &lists[now == &lists[0]];
		next = &lists[next == &lists[0]];
	}
	return matching.is_match ? matching.at - start : longest;
}
