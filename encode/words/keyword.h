/* SPDX-License-Identifier: MIT */
/* Keywords: the terms that every PMU takes, whatever its formats are. */
#pragma once

#include "core/str.h"
#include "encode/parse/ast.h"

enum pq_keyword_value {
	PQ_TAKES_NUMBER,   /* bare means 1 */
	PQ_TAKES_BOOL,	   /* 0 or 1; bare means 1 */
	PQ_TAKES_LOW_BOOL, /* the same; perf checks the low 32 bits */
	PQ_TAKES_FLAG,	   /* 0, or 1 for every other number; bare means 1 */
	PQ_TAKES_U32,	   /* bare means 1 */
	PQ_TAKES_LOW_U32,  /* the same; perf drops the other bits */
	PQ_TAKES_WORD,
	PQ_TAKES_RATIO, /* a decimal number above zero */
	PQ_TAKES_ANY,
};

enum pq_keyword_effect {
	PQ_SETS_CONFIG,
	PQ_SETS_NAME,
	PQ_SETS_BRANCH_TYPE,
	PQ_SETS_CPUS,
	PQ_SETS_HARDWARE,
	PQ_SETS_CACHE,
	PQ_IS_FOR_TOOL,	   /* it sets nothing in the attr: a tool applies it */
	PQ_IS_FOR_SAMPLER, /* the same, and perf stat refuses it */
};

struct pq_keyword {
	struct pmuq_str name;
	enum pq_keyword_effect effect;
	enum pq_keyword_value value;
	bool is_opposite; /* no-inherit: tools see inherit=0 */
	uint8_t word;	  /* of PQ_SETS_CONFIG */
	bool is_for_tracepoints;
	bool is_for_core; /* it has no effect on other PMUs */
};

/* The keyword itself, or the one whose opposite it is: both set the same. */
static inline const struct pq_keyword *pq_keyword_sets(const struct pq_keyword *keyword)
{
	return keyword - keyword->is_opposite;
}

/* NULL for a word that is not a keyword; keywords are case-sensitive. */
const struct pq_keyword *pq_keyword_find(struct pmuq_str word);
/* Of a term as it was written. */
const struct pq_keyword *pq_keyword_of(const struct pq_term *term);
/* The n-th, for lists in hints; NULL after the last. */
const struct pq_keyword *pq_keyword_at(size_t index);

/* A filter of branch_type=: its bit in branch_sample_type. False for an unknown one. */
bool pq_branch_filter_find(struct pmuq_str word, uint64_t *ret);
/* The n-th filter's name, or an empty slice. */
struct pmuq_str pq_branch_filter_at(size_t index);
