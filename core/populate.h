/* SPDX-License-Identifier: MIT */
/*
 * The kernel adds a page to a process when the process touches it for the first time, for half a
 * microsecond, or ten in some virtual machines. Many pages at once cost a fraction of that.
 */
#pragma once

#include <stddef.h>

/* From this size on it is worth a system call. */
#define PQ_POPULATE_MIN_BYTES ((size_t)4 << 12)

/* Gets the pages of memory that will be written whole, and was not used before (madvise(2),
 * MADV_POPULATE_WRITE). Its content does not change. Without effect if it is small, on errors, and
 * on systems that cannot do it. */
void pq_populate(void *memory, size_t bytes);
