/* SPDX-License-Identifier: MIT */
/*
 * When a change is reported. The kernel announces a PMU before all of its files exist, and a module
 * announces dozens at once: wait until it is quiet, but not forever. Times are milliseconds of any
 * clock that never goes back; the caller has the clock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A flood of announcements delays the report by so many times the quiet time. */
#define PQ_DEBOUNCE_PATIENCE 20u
#define PQ_DEBOUNCE_NEVER UINT64_MAX

struct pq_debounce {
	uint32_t quiet_ms;
	uint64_t timer_ms; /* PQ_DEBOUNCE_NEVER: no timer */
	uint64_t first_ms; /* the first announcement that was not reported yet; NEVER: none */
	uint64_t ready_ms; /* when to report the change; NEVER: nothing was announced */
	uint64_t check_ms; /* when the timer runs out */
};

void pq_debounce_init(struct pq_debounce *debounce, uint32_t quiet_ms, uint64_t timer_ms,
		      uint64_t now_ms);
/* Something was announced. `is_last`: it follows all others of its cause. */
void pq_debounce_note(struct pq_debounce *debounce, uint64_t now_ms, bool is_last);

enum pq_debounced {
	PQ_DEBOUNCED_NOTHING, /* not yet */
	PQ_DEBOUNCED_CHANGE,
	PQ_DEBOUNCED_TIMER, /* nothing was announced, and the timer ran out */
};

/* A change is reported once. */
enum pq_debounced pq_debounce_take(struct pq_debounce *debounce, uint64_t now_ms);
/* When to call pq_debounce_take() next, if nothing else is announced. */
uint64_t pq_debounce_next(const struct pq_debounce *debounce);
