/* SPDX-License-Identifier: MIT */
/* A set of events that may compete, and the call that is about it. */
#pragma once

#include "encode/result.h"
#include "fit/machine.h"

/* A set of events that may compete. */
struct pq_fit_set {
	struct pmuq_fit_set record; /* first: callers see this */
	const struct pmuq_encodings *encodings;
	struct pq_fit_pmu *pmu; /* NULL: its events need no counters of a PMU */
	struct pq_fit_event *events;
	struct pq_fit_registers registers;
	struct pmuq_error *error; /* the warning of its record */
};

struct pq_fit_call {
	struct pq_fit_machine *machine;
	const struct pmuq_encodings *encodings;
	struct pmuq_fit *fit;
	struct pq_arena *arena; /* of the result */
};

static inline const struct pq_encoding *pq_fit_at(const struct pq_fit_call *call, size_t index)
{
	return &call->encodings->v[index];
}

/* Finds out whether the events of the set fit. Its PMU, leader, number of members, and the encoding
 * of each are set. 0 or a negative code. */
int pq_fit_fill_set(struct pq_fit_call *call, struct pq_fit_set *set);
