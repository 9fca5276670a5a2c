/* SPDX-License-Identifier: MIT */
/*
 * What encoding makes: a list of encodings in one allocation (and more only where the first is too
 * small). Strings are NUL-terminated and live in its arena or in the machine.
 */
#ifndef PQ_RESULT_H
#define PQ_RESULT_H

#include "core/arena.h"
#include "core/catalog/lookup.h"
#include "core/error.h"
#include "core/vec.h"
#include <pmuq/pmuq.h>

/* A term or modifier that only a tool applies. */
struct pq_tool_term {
	struct pmuq_tool_term record; /* first: what is handed out is this */
	struct pq_span at;	      /* in the input; empty if it is not written there */
};

/* In the order of the text. A copy of an encoding shares the array: its capacity is then n, so that
 * a change makes a new array. */
struct pq_tool_terms {
	PQ_VEC(struct pq_tool_term);
};

/* NULL when there is none of that name. */
const struct pq_tool_term *pq_tool_term_find(const struct pq_tool_terms *terms, const char *name);

/* Linked twice: into its encodings' list, and into the result's list of all. */
struct pq_warning {
	struct pmuq_error *error;
	struct pq_warning *next;
	struct pq_warning *next_owned;
};

#define PQ_ASSIGNMENTS_EACH 8

/* A list of blocks, of which all but the last are full: elements never move, and little memory
 * stays unused. */
struct pq_assignments {
	struct pmuq_assignment v[PQ_ASSIGNMENTS_EACH];
	size_t n;
	struct pq_assignments *next;
};

/* Of the record, what points into the rest or counts it is set when the result is complete:
 * encodings move until then. */
struct pq_encoding {
	struct pmuq_encoding record; /* first: what is handed out is this */
	struct pmuq_attr attr;
	const struct pmuq_pmu *on; /* the PMU that counts it, or NULL */
	struct pq_tool_terms tool_terms;
	struct pq_warning *warnings;
	struct pq_assignments *assignments; /* NULL: none, or not wanted */
	uint64_t modifiers;		    /* PQ_MODIFIER_BIT() of its own and of its group's */
};

struct pmuq_encodings {
	struct pq_arena arena;
	bool is_callers; /* it, and all that it holds, is in memory of the caller's */
	PQ_VEC(struct pq_encoding);
	struct pq_warning *owned; /* every warning, newest first: to be freed */
	struct pmuq_str input;	  /* a copy, once a warning points into it */
	/* With the rest of the struct below what malloc keeps in its quickest lists. */
	_Alignas(16) char first[704];
};

struct pmuq_encodings *pq_result_new(void);
/* In the caller's memory, and nowhere else; NULL when that is too small. */
struct pmuq_encodings *pq_result_new_in(void *memory, size_t bytes);
/* Memory for n more; NULL when out of memory or beyond PQ_ENCODINGS_MAX. Not zeroed, not counted.
 */
struct pq_encoding *pq_result_reserve(struct pmuq_encodings *result, size_t n);
/* Sets what points into an encoding or counts its lists, when the result is complete. */
void pq_result_complete(struct pmuq_encodings *result);
/* Keeps a warning (taking it over) and gives its node, or NULL (then it is freed). */
struct pq_warning *pq_result_keep(struct pmuq_encodings *result, struct pmuq_error *warning);

#endif
