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
struct pq_tool_term {
	const char *name, *text;
	struct pq_span at; /* in the input; empty if it is not written there */
	bool is_number;
};

/* In the order of the text. A copy of an encoding shares the array: its `room` is 0, so that the
 * first addition makes a new one. */
struct pq_tool_terms {
	struct pq_tool_term *v;
	size_t n, room;
};

/* NULL when there is none of that name. */
const struct pq_tool_term *pq_tool_term_find(const struct pq_tool_terms *terms, const char *name);

/* Linked twice: into its encodings' list, and into the result's list of all. */
struct pq_warning {
	struct pmuq_error *error;
	struct pq_warning *next;
	struct pq_warning *next_owned;
};

/* Which term wrote which value where. Texts are NUL-terminated; `field` is the text of
 * pmuq_attr_field_name(). */
struct pmuq_assignment {
	const char *term, *format, *event, *origin, *input;
	const char *field;
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
	struct pq_tool_terms tool_terms;
	struct pq_warning *warnings;
	struct pq_assignments *assignments; /* NULL: not wanted */
	const char *group_name;
	const char *probe, *probe_field; /* a text that the kernel wants a pointer to, and where */
	uint32_t leader, members;	 /* members: 0 outside a group */
	enum pmuq_origin origin;
	bool needs_cpu, is_per_pkg, is_snapshot;
	uint64_t modifiers; /* PQ_MODIFIER_BIT() of its own and of its group's */
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
