/* SPDX-License-Identifier: MIT */
/*
 * Which events can be counted at the same time: a problem of matching. Each event needs one of some
 * counters; events that need the same register with other values exclude each other. This is the
 * model only; constrain.c makes it of events of a machine.
 */
#pragma once

#include "core/limits.h"
#include "core/str.h"

/* The counters of a PMU: bit N is counter N, of those for any event or of those for one event. */
struct pq_counter_set {
	uint64_t generic, fixed;
};

/* An event sets a register of its PMU to a value. */
struct pq_fit_setting {
	size_t of; /* the register, by its index */
	uint64_t value;
};

/* What an event needs. */
struct pq_fit_need {
	struct pq_counter_set counters; /* one of these; none: it can never be counted */
	bool is_free;			/* it needs no counter */
	bool is_pair; /* an even counter of them, and the next one, which must also be in the set */
	bool is_alone; /* while it is counted, no other event can use a generic counter */
	size_t with;   /* the event that must be in the same part; SIZE_MAX: none */
	const struct pq_fit_setting *settings;
	size_t n_settings;
};

/* A register of a PMU. */
struct pq_fit_register {
	struct pmuq_str name;
	size_t n; /* how many values it can have at a time */
};

struct pq_fit_problem {
	const struct pq_fit_need *needs;
	size_t n;
	const struct pq_fit_register *registers;
	size_t n_registers;
	const struct pq_fit_need *always; /* of an event that is always counted; NULL: none */
	bool ignores_alone;
	size_t steps; /* so far; the search for a smaller split ends at PQ_FIT_STEPS_MAX */
};

/* Why events cannot be counted together. */
enum pq_fit_reason {
	PQ_FIT_REASON_NONE,
	PQ_FIT_REASON_COUNTERS,	 /* more events than counters that can count them */
	PQ_FIT_REASON_PAIRS,	 /* some of them need two counters */
	PQ_FIT_REASON_REGISTER,	 /* more values than a register can have */
	PQ_FIT_REASON_ALONE,	 /* one must be counted alone */
	PQ_FIT_REASON_WITHOUT,	 /* one needs another, which is not among them */
	PQ_FIT_REASON_NO_COUNTER /* one has no counter at all */
};

struct pq_fit_clash {
	enum pq_fit_reason reason;
	struct pq_counter_set counters; /* that the events compete for */
	size_t of;			/* the register, or the event */
	size_t n_events;		/* that compete, with the one that is always counted */
	bool has_always;
	bool *competes; /* n of them, set by the caller to NULL if they do not matter */
};

/* The index of a counter: generic ones from 0, fixed ones from here. */
#define PQ_FIT_FIXED 64u
#define PQ_FIT_COUNTERS 128u
#define PQ_FIT_NO_COUNTER UINT8_MAX

static inline bool pq_counter_set_has(struct pq_counter_set set, unsigned counter)
{
	return (counter < PQ_FIT_FIXED ? set.generic >> counter
				       : set.fixed >> (counter - PQ_FIT_FIXED)) &
	       1;
}

static inline unsigned pq_counter_set_count(struct pq_counter_set set)
{
	return (unsigned)(__builtin_popcountll(set.generic) + __builtin_popcountll(set.fixed));
}

static inline bool pq_counter_set_is_empty(struct pq_counter_set set)
{
	return !(set.generic | set.fixed);
}

/*
 * Whether the events with is_in[] can be counted at the same time; exact. `counters`, if it is not
 * NULL, gets the counter of each of them (PQ_FIT_NO_COUNTER: none), and `clash`, if it is not NULL,
 * the reason why not.
 */
bool pq_fit_together(struct pq_fit_problem *problem, const bool *is_in, uint8_t *counters,
		     struct pq_fit_clash *clash);

/*
 * The smallest number of parts of which each can be counted at the same time; *ret_parts gets the
 * part of each event, in the order of their first events. 0 if an event cannot be counted even
 * alone. *ret_is_smallest: false if the search was ended, and there may be fewer. False: no memory.
 */
bool pq_fit_split(struct pq_fit_problem *problem, size_t *parts, size_t *ret_n,
		  bool *ret_is_smallest);
