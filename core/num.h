/* SPDX-License-Identifier: MIT */
/*
 * Numbers from text, without a locale: the whole slice or nothing, and too large is told apart
 * from not a number at all.
 */
#ifndef PQ_NUM_H
#define PQ_NUM_H

#include "core/str.h"

enum pq_num {
	PQ_NUM_OK,
	PQ_NUM_NONE,  /* not a number */
	PQ_NUM_RANGE, /* a number, but of more than 64 bits */
};

/* Decimal digits; leading zeros are not octal. */
enum pq_num pq_num_decimal(struct pmuq_str s, uint64_t *ret);
/* Hex digits without a prefix. */
enum pq_num pq_num_hex(struct pmuq_str s, uint64_t *ret);
/* Decimal, or hex after "0x" (lower case, as in event strings). */
enum pq_num pq_num_any(struct pmuq_str s, uint64_t *ret);
/* The decimal digits that s begins with; *ret_n says how many. False when there are none. */
bool pq_num_prefix(struct pmuq_str s, uint64_t *ret, size_t *ret_n);

/* How a scale file is understood (strtod's grammar in the C locale, trailing junk ignored). */
double pq_num_scale(struct pmuq_str s);
/* The exact part of a scale's text that is a number; "1" where there is none or it is zero. */
struct pmuq_str pq_num_scale_text(struct pmuq_str s);
/* How many bytes of s, from its first, are such a number. */
size_t pq_num_scale_length(struct pmuq_str s);

#endif
