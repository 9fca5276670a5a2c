/* SPDX-License-Identifier: MIT */
/*
 * Public structs that begin with their size: an older caller's is shorter than ours, a newer one's
 * longer. What only one of the two knows is left alone, unless it was set and would be ignored.
 */
#ifndef PQ_SIZED_H
#define PQ_SIZED_H

#include "core/error.h"

/* Options as of this version: `ret`, of `known` bytes, is filled from what the caller gave (NULL:
 * all defaults, which are zero). 0 or -PMUQ_E_BAD_CALL. */
int pq_sized_take(const void *given, void *ret, size_t known, struct pmuq_error **reterr);

/* Whether the caller has set the size of a struct that is to be filled: 0 or -PMUQ_E_BAD_CALL. */
int pq_sized_check(const void *ret, struct pmuq_error **reterr);

/* Copies what both know, but not the size. */
void pq_sized_give(const void *from, size_t known, void *ret);

#endif
