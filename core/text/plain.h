/* SPDX-License-Identifier: MIT */
/* Eight bytes at once: whether a text of JSON needs no escape and no decoding. */
#pragma once

#include "core/str.h"

#define PQ_EACH_BYTE(byte) (0x0101010101010101u * (byte))

/* Printable ASCII except '"' and '\\'. */
static inline bool pq_is_plain(unsigned char byte)
{
	return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

/* Sets the top bit of each byte that is 0. A borrow reaches further bytes only after a byte that is
 * 0. */
static inline uint64_t pq_zero_bytes(uint64_t word)
{
	return (word - PQ_EACH_BYTE(0x01u)) & ~word & PQ_EACH_BYTE(0x80u);
}

/* Whether eight bytes are all pq_is_plain(). */
static inline bool pq_are_plain(uint64_t word)
{
	uint64_t odd = word | (word + PQ_EACH_BYTE(0x01u)); /* top bits: 0x7f and more */

	odd |= (word - PQ_EACH_BYTE(0x20u)) & ~word; /* less than a blank */
	return !((odd & PQ_EACH_BYTE(0x80u)) |
		 pq_zero_bytes(word ^ PQ_EACH_BYTE((unsigned)'"')) |
		 pq_zero_bytes(word ^ PQ_EACH_BYTE((unsigned)'\\')));
}
