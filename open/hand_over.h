/* SPDX-License-Identifier: MIT */
/* Public structs that begin with their size: a caller of another version has a shorter or longer
 * one. */
#ifndef PQ_OPEN_HAND_OVER_H
#define PQ_OPEN_HAND_OVER_H

#include <string.h>

/* Copies what both know, but not the size. */
static inline void pq_hand_over(const void *from, size_t from_bytes, void *ret, size_t ret_bytes)
{
	size_t bytes = from_bytes < ret_bytes ? from_bytes : ret_bytes;

	if (bytes > sizeof(size_t))
		memcpy((char *)ret + sizeof(size_t), (const char *)from + sizeof(size_t),
		       bytes - sizeof(size_t));
}

#endif
