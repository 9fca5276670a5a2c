/* SPDX-License-Identifier: MIT */
#include "core/populate.h"
#include <stdint.h>
#include <sys/mman.h>

/* Larger pages are fewer, and the kernel then refuses what is not aligned to them. */
#define PAGE_BYTES ((uintptr_t)4096)

void pq_populate(void *memory, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE /* glibc 2.35, Linux 5.14 */
	uintptr_t from = ((uintptr_t)memory + PAGE_BYTES - 1) & -PAGE_BYTES;
	uintptr_t to = ((uintptr_t)memory + bytes) & -PAGE_BYTES;

	if (bytes >= PQ_POPULATE_MIN_BYTES)
		(void)madvise((void *)from, to - from, MADV_POPULATE_WRITE);
#else
	(void)memory;
	(void)bytes;
#endif
}
