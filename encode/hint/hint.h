/* SPDX-License-Identifier: MIT */
/*
 * Hints, made from the machine's own data: similar names, the terms of a PMU, the range of a field,
 * what a user of other tools may have meant. encode_error.c makes the errors themselves. Each
 * function adds a hint to the error in e->reterr. A missing hint is not a failure.
 */
#pragma once

#include "core/near.h"
#include "encode/encode_lookup.h"

/* A query for a hint: if it fails, there is no hint; without memory the call fails at its end. */
#define pq_query_hint(e, op, ...)                                                                  \
	pq_note_memory(e, (e)->lookup.ops->op((e)->lookup.self, __VA_ARGS__, NULL))

static inline int pq_note_memory(const struct pq_encoder *e, int r)
{
	e->facts->failed |= r == -PMUQ_E_MEMORY;
	return r;
}

/* A caller that requests no error does not pay for hints. */
static inline bool pq_can_hint(const struct pq_encoder *e)
{
	return e->reterr && *e->reterr;
}

/* hint_term.c: the PMU has no such term, or no event of a term's value. */
void pq_hint_term(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word);
void pq_hint_event(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word);
/* The value that was written, if any, is not one of the format. */
void pq_hint_range(const struct pq_encoder *e, const struct pmuq_format *format,
		   struct pmuq_str value);
/* hint_name.c: no PMU or event has that name. */
void pq_hint_name(const struct pq_encoder *e, struct pmuq_str word);
/* hint_tracepoint.c */
void pq_hint_tracepoint(const struct pq_encoder *e, struct pmuq_str subsystem,
			struct pmuq_str name);
/* Tracepoints of that name, without their subsystem. */
void pq_print_tracepoints(const struct pq_encoder *e, struct pmuq_str name, struct pq_buf *hint);
/* hint_syntax.c: the input is not an event string. */
void pq_hint_syntax(const struct pq_encoder *e);

/* An event needs a core PMU: those of the machine, or why it has none. */
void pq_hint_core(const struct pq_encoder *e);
void pq_print_no_core(const struct pq_encoder *e, struct pq_buf *hint);

/* Parts of hints that several of them have. The similar events: of one PMU, or of the CPU's tables
 * for it (for all PMUs if it is NULL). */
void pq_consider_events(struct pq_near *nearest, const struct pmuq_pmu *pmu);
void pq_consider_vendor(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			struct pq_near *nearest);
/* The machine of a recording is incomplete: the real one may have what the recording does not
 * mention. */
bool pq_print_incomplete(const struct pq_encoder *e, const char *what, struct pq_buf *hint);
/* How to get the names of a vendor's manuals, if the word may be one and there is no table. */
void pq_print_manuals(const struct pq_encoder *e, struct pmuq_str word, struct pq_buf *hint);
