/* SPDX-License-Identifier: MIT */
/*
 * Numbers from text, without a locale: the whole slice must be a number. A number that is too large
 * has another result than a text that is not a number.
 */
#pragma once

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
/* As strtoul(3) with base 0: hex after "0x" or "0X", octal after "0", else decimal. */
enum pq_num pq_num_c(struct pmuq_str s, uint64_t *ret);
/* The end of the decimal digits that begin at that index. */
size_t pq_num_digits_end(struct pmuq_str s, size_t at);
/* The decimal digits at the start of s; *ret_n is their number. False if there are none. */
bool pq_num_prefix(struct pmuq_str s, uint64_t *ret, size_t *ret_n);

/* The number at the start of a text, as strtod(3) reads it in the C locale, also "nan" and "inf".
 * *ret_n is its length. PQ_NUM_RANGE: of a finite number that no double is near to. */
enum pq_num pq_num_real(const char *text, double *ret, size_t *ret_n);

/* The decimal digits of any number fit here. */
#define PQ_NUM_DIGITS_MAX 20
struct pmuq_str pq_num_print(uint64_t value, char (*digits)[PQ_NUM_DIGITS_MAX]);

/* The value of a scale file: strtod's grammar in the C locale; text after the number is ignored. */
double pq_num_scale(struct pmuq_str s);
/* The exact text of that number; "1" if there is none or it is zero. */
struct pmuq_str pq_num_scale_text(struct pmuq_str s);
/* The length of that number at the start of s. */
size_t pq_num_scale_length(struct pmuq_str s);
