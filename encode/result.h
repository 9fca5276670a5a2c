/* SPDX-License-Identifier: MIT */
/*
 * The result of encoding: a list of encodings, in one allocation if that is large enough. Strings
 * are NUL-terminated; they live in the result's arena or in the machine.
 */
#pragma once

#include "core/arena.h"
#include "core/catalog/lookup.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/vec.h"
#include <pmuq/pmuq.h>

/* A term or modifier that only a tool applies. */
struct pq_tool_term {
	struct pmuq_tool_term record; /* first: callers get a pointer to this */
	struct pq_span at; /* of the whole term in the input; empty if it is not written there */
};

/* In the order of the text. A copy of an encoding shares the array: the copy's capacity is n, so
 * that a change makes a new array. */
struct pq_tool_terms {
	PQ_VEC(struct pq_tool_term);
};

/* The tool term with that name, or NULL. */
const struct pq_tool_term *pq_tool_term_find(const struct pq_tool_terms *terms, const char *name);

/* A warning in its encoding's list. The first one with its error is also in the result's list of
 * all warnings; those of other PMUs that count the event share the error. */
struct pq_warning {
	struct pmuq_error *error;
	struct pq_warning *next;
	struct pq_warning *next_owned;
};

#define PQ_ASSIGNMENTS_EACH 8

/* A list of blocks, all of them full except the last: elements never move, and little memory is
 * unused. */
struct pq_assignments {
	struct pmuq_assignment v[PQ_ASSIGNMENTS_EACH];
	size_t n;
	struct pq_assignments *next;
};

/* An encoding moves while the result grows. Members of the record that point into the rest, or
 * count it, are therefore set when the result is complete. */
struct pq_encoding {
	struct pmuq_encoding record; /* first: callers get a pointer to this */
	struct pmuq_attr attr;
	const struct pmuq_pmu *on; /* the PMU that counts it, or NULL */
	struct pq_tool_terms tool_terms;
	struct pq_warning *warnings;
	struct pq_assignments *assignments; /* NULL: none, or not requested */
	uint64_t modifiers;		    /* PQ_MODIFIER_BIT() of its own and of its group's */
	bool is_limited;		    /* cpu= leaves out CPUs of its PMU */
};

/* Of a copy of an encoding: what belongs to the other one is no longer its own. */
static inline void pq_encoding_own(struct pq_encoding *copy)
{
	copy->warnings = NULL;
	copy->tool_terms.capacity = copy->tool_terms.n;
}

struct pmuq_encodings {
	struct pq_arena arena;
	bool is_callers; /* the result and all it contains is in the caller's memory */
	bool is_live;	 /* of the machine that this process runs on */
	PQ_VEC(struct pq_encoding);
	struct pq_warning *owned; /* all warnings, newest first; to be freed */
	struct pmuq_str input;	  /* a copy, for warnings and for pmuq_encodings_one() */
	/* The whole struct is small enough for the per-thread lists of glibc's malloc. */
	_Alignas(16) char first[704];
};

struct pmuq_encodings *pq_result_new(void);
/* Only in the caller's memory; NULL if that is too small. */
struct pmuq_encodings *pq_result_new_in(void *memory, size_t bytes);
/* Memory for n more, not zeroed and not counted. NULL if out of memory or beyond PQ_ENCODINGS_MAX.
 */
struct pq_encoding *pq_result_reserve(struct pmuq_encodings *result, size_t n);
/* The same, quick if they fit: an event of one PMU needs it twice. */
PQ_INLINE struct pq_encoding *pq_result_slots(struct pmuq_encodings *result, size_t n)
{
	bool fits = n <= result->capacity - result->n && n <= PQ_ENCODINGS_MAX - result->n;

	return fits ? result->v + result->n : pq_result_reserve(result, n);
}
/* Sets what points into an encoding or counts its lists, when the result is complete. */
void pq_result_complete(struct pmuq_encodings *result);
/* Of a complete result: removes all warnings with that code. */
void pq_result_forget(struct pmuq_encodings *result, enum pmuq_code code);
/* Takes ownership of the warning and returns its node; NULL if there is no memory, and the warning
 * is freed. */
struct pq_warning *pq_result_keep(struct pmuq_encodings *result, struct pmuq_error *warning);
