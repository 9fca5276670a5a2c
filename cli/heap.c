/* SPDX-License-Identifier: MIT */
/* A command that is going to use hundreds of pages gets them with one call: see core/populate.h. */
#include "cli/heap.h"
#include "core/populate.h"
#include <malloc.h>
#include <stdlib.h>

#ifdef M_TRIM_THRESHOLD /* musl's malloc() has no parameters */
void heap_prepare(size_t bytes)
{
	void *block;

	/* A block of that size is to be a part of the heap, and to remain one when it is free. */
	if (!mallopt(M_MMAP_THRESHOLD, (int)bytes * 2) ||
	    !mallopt(M_TRIM_THRESHOLD, (int)bytes * 2))
		return;
	block = malloc(bytes);
	if (!block)
		return;
	pq_populate(block, bytes);
	free(block);
}
#else
void heap_prepare(size_t bytes)
{
	(void)bytes;
}
#endif
