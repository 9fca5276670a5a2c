/* SPDX-License-Identifier: MIT */
/*
 * Probing the kernel: a refused call is repeated with one change, then with two, smallest change
 * first, until it opens. No event is ever enabled.
 */
#pragma once

#include "open/diagnose/refusal.h"

/* One change. It has `clears`, `clears_bit`, `vary` or `vary_step`. */
struct pq_probe {
	const char *name;   /* stable: a step of the open result */
	uint8_t clears[3];  /* enum pq_attr_field: these become 0 */
	uint8_t clears_bit; /* the same; one step for each bit that is set in this field */
	/* Changes *ret, a copy of the refused call; leaves it alone if there is nothing to change.
	 */
	void (*vary)(const struct pq_refusal *refusal, struct pq_open_call *ret);
	/* Makes change number `step`, from 0; false: there is no such change. */
	bool (*vary_step)(const struct pq_refusal *refusal, unsigned step,
			  struct pq_open_call *ret);
	const char *text;	  /* the change, for users, with {words} */
	enum pq_condition proves; /* PQ_IF_NOTHING: no reason depends on it */
};

/* The table (probe_table.c), smallest change first; NULL after its end. */
const struct pq_probe *pq_probe_at(size_t index);

/*
 * Fills refusal->findings and adds the proved conditions. If the call has a leader, it must still
 * be open. The arena holds the texts.
 */
void pq_probe_search(const struct pq_kernel *kernel, struct pq_arena *arena,
		     struct pq_refusal *refusal);

/* The simplest event, for this task: a process that may not open it may open none. Its errno is
 * kept in the session, so it is tried once. */
struct pq_open_call pq_probe_simplest(void);
