/* SPDX-License-Identifier: MIT */
/*
 * The ring buffer that the kernel maps for an event: perf_event_open(2), "MMAP layout". The kernel
 * writes records at data_head, which only grows; the reader sets data_tail, so that the kernel
 * overwrites nothing that is not read.
 */
#pragma once

#include "core/base.h"
#include <stdint.h>

/* A record has a size of 16 bits. */
#define PQ_RECORD_MAX_BYTES 65536u

/* What every record begins with: struct perf_event_header. */
struct pq_record_header {
	uint32_t type;
	uint16_t misc;
	uint16_t bytes; /* of the record with this header */
};

struct pq_ring {
	void *page; /* the first page of the mapping */
	const char *data;
	uint64_t bytes; /* of data: a power of two */
	uint64_t tail;	/* the next record is here … */
	uint64_t head;	/* … and the records that are known end here */
};

/* `page` begins a mapping of one page and `bytes`, a power of two. */
void pq_ring_init(struct pq_ring *ring, void *page, size_t page_bytes, size_t bytes);
/* Finds out what the kernel has written since. */
void pq_ring_update(struct pq_ring *ring);

static inline bool pq_ring_is_empty(const struct pq_ring *ring)
{
	return ring->tail == ring->head;
}

/*
 * The next record, in one piece: in the ring, or in `copy` (of PQ_RECORD_MAX_BYTES) if it goes
 * across the end. NULL if the ring is not empty, but has no record: something else wrote to it.
 */
const struct pq_record_header *pq_ring_record(const struct pq_ring *ring, void *copy);
/* Goes on to the record after it, or past all that is known. The kernel may not use the memory of
 * the record before pq_ring_release(). */
void pq_ring_skip(struct pq_ring *ring, uint64_t bytes);
void pq_ring_skip_all(struct pq_ring *ring);
void pq_ring_release(const struct pq_ring *ring);
