/* SPDX-License-Identifier: MIT */
/*
 * What encoding makes: a list of encodings in one allocation (and more only where the first is too
 * small). Strings are NUL-terminated and live in its arena or in the machine that was asked.
 */
#ifndef PQ_RESULT_H
#define PQ_RESULT_H

#include "core/arena.h"
#include "core/catalog/lookup.h"
#include "core/error.h"
#include <pmuq/pmuq.h>

/* A term or modifier that only a tool applies. */
struct pq_deferred {
	const char *name, *text;
	struct pq_span at; /* of the text, in the input; empty where it was not written there */
	bool is_number;
	struct pq_deferred *next;
};

/* Linked twice: into its encodings' list, and into the result's list of all. */
struct pq_warning {
	struct pmuq_error *error;
	struct pq_warning *next;
	struct pq_warning *next_owned;
};

/* Who put which value where. Texts are NUL-terminated. */
struct pmuq_assignment {
	const char *term, *format, *event, *origin, *input;
	const char *field; /* by the kernel's name */
	uint64_t mask, value, number;
	struct pq_span at;
	enum pmuq_cause cause;
	bool is_overridden;
};

struct pq_assignments {
	struct pmuq_assignment *v;
	size_t n, room;
};

struct pmuq_encoding {
	struct pmuq_attr attr;
	const char *name;
	const struct pmuq_pmu *on; /* the PMU that counts it, or NULL */
	struct pmuq_str cpus, unit, scale;
	struct pq_deferred *deferred; /* in the order of the text */
	struct pq_warning *warnings;
	struct pq_assignments *assignments; /* NULL: nobody asked for them */
	const char *group_name;
	const char *probe, *probe_field; /* a text that the kernel wants a pointer to, and where */
	uint32_t leader, members;	 /* members: 0 outside a group */
	enum pmuq_origin origin;
	bool needs_cpu, is_per_pkg, is_snapshot;
	bool stays_put, is_latency; /* the modifiers X and R */
};

struct pmuq_encodings {
	struct pq_arena arena;
	bool is_callers; /* it, and all that it holds, is in memory of the caller's */
	struct pmuq_encoding *v;
	size_t n, room;
	struct pq_warning *owned; /* every warning, newest first: to be freed */
	/* With the rest of the struct below what malloc keeps in its quickest lists. */
	_Alignas(16) char first[704];
};

struct pmuq_encodings *pq_result_new(void);
/* In the caller's memory, and nowhere else; NULL when that is too small. */
struct pmuq_encodings *pq_result_new_in(void *memory, size_t bytes);
/* Room for n more; NULL when out of memory or past PQ_ENCODINGS_MAX. Not zeroed, not yet counted.
 */
struct pmuq_encoding *pq_result_reserve(struct pmuq_encodings *result, size_t n);
/* Keeps a warning (taking it over) and gives its node, or NULL (then it is freed). */
struct pq_warning *pq_result_keep(struct pmuq_encodings *result, struct pmuq_error *warning);

#endif
