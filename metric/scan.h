/* SPDX-License-Identifier: MIT */
/* The words of a formula. */
#pragma once

#include "core/error.h"
#include "core/str.h"

/* A sign is its own character. */
enum {
	PQ_WORD_END,
	PQ_WORD_BAD,	/* a character that no word begins with */
	PQ_WORD_NUMBER, /* digits, a point, an exponent: "1e9", ".5", "5." */
	PQ_WORD_NAME,	/* with its backslashes */
	PQ_WORD_LITERAL,
	PQ_WORD_FIRST_KEYWORD = 128, /* more than any character of ASCII */
	PQ_WORD_IF = PQ_WORD_FIRST_KEYWORD,
	PQ_WORD_ELSE,
	PQ_WORD_MIN,
	PQ_WORD_MAX,
	PQ_WORD_D_RATIO,
	PQ_WORD_SOURCE_COUNT,
	PQ_WORD_AGGR_NR,
	PQ_WORD_HAS_EVENT,
	PQ_WORD_CPU,
	PQ_WORD_NAN,
};

struct pq_formula_scan {
	struct pmuq_str text;
	size_t at;
	bool skips; /* like perf: bad characters are skipped */
};

/* The next word, and its place. */
int pq_formula_next(struct pq_formula_scan *scan, struct pq_span *ret);
/* The text of a keyword. */
struct pmuq_str pq_formula_keyword(int word);
