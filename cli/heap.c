/* SPDX-License-Identifier: MIT */
/*
 * The kernel adds a page to a process when the process touches it for the first time, for half a
 * microsecond, or ten in some virtual machines. A command that is going to use hundreds of pages
 * gets them faster with one call.
 */
#include "cli/heap.h"
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Both are newer than the rest: glibc 2.35, Linux 5.14; musl's malloc() has no parameters. */
#if defined(MADV_POPULATE_WRITE) && defined(M_TRIM_THRESHOLD)
void heap_prepare(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), unaligned;
	char *block;

	/* A block of that size is to be a part of the heap, and to remain one when it is free. */
	if (!mallopt(M_MMAP_THRESHOLD, (int)bytes * 2) ||
	    !mallopt(M_TRIM_THRESHOLD, (int)bytes * 2))
		return;
	block = malloc(bytes);
	if (!block)
		return;
	unaligned = -(uintptr_t)block % page;
	madvise(block + unaligned, (bytes - unaligned) / page * page, MADV_POPULATE_WRITE);
	free(block);
}
#else
void heap_prepare(size_t bytes)
{
	(void)bytes;
}
#endif
