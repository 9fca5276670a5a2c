/* SPDX-License-Identifier: MIT */
/* Reads the ring buffer of an event. */
#include "open/samples/ring.h"
#include <assert.h>
#include <linux/perf_event.h>
#include <string.h>

static_assert(sizeof(struct pq_record_header) == sizeof(struct perf_event_header),
	      "perf_event_header of the kernel");

void pq_ring_init(struct pq_ring *ring, void *page, size_t page_bytes, size_t bytes)
{
	const struct perf_event_mmap_page *at = page;

	/* Kernels before 4.1 do not fill in where the data begins: after the first page. */
	*ring = (struct pq_ring){
		.page = page,
		.data = (const char *)page + (at->data_size ? at->data_offset : page_bytes),
		.bytes = at->data_size ? at->data_size : bytes,
		.tail = at->data_tail,
		.head = at->data_tail,
	};
}

void pq_ring_update(struct pq_ring *ring)
{
	const struct perf_event_mmap_page *page = ring->page;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);

	/* The kernel never writes more than fits. */
	if (head - ring->tail <= ring->bytes)
		ring->head = head;
}

/* Copies bytes of the ring, whose end continues at its beginning. */
static void copy_out(const struct pq_ring *ring, size_t n, char *ret)
{
	uint64_t at = ring->tail & (ring->bytes - 1), rest = ring->bytes - at;
	size_t first = n < rest ? n : (size_t)rest;

	memcpy(ret, ring->data + at, first);
	memcpy(ret + first, ring->data, n - first);
}

const struct pq_record_header *pq_ring_record(const struct pq_ring *ring, void *copy)
{
	uint64_t known = ring->head - ring->tail, at = ring->tail & (ring->bytes - 1);
	struct pq_record_header header;

	if (known < sizeof(header))
		return NULL;
	copy_out(ring, sizeof(header), (char *)&header);
	if (header.bytes < sizeof(header) || header.bytes % 8 || header.bytes > known)
		return NULL;
	if (at + header.bytes <= ring->bytes)
		return (const struct pq_record_header *)(ring->data + at);
	copy_out(ring, header.bytes, copy);
	return copy;
}

void pq_ring_skip(struct pq_ring *ring, uint64_t bytes)
{
	ring->tail += bytes;
}

void pq_ring_skip_all(struct pq_ring *ring)
{
	ring->tail = ring->head;
}

void pq_ring_release(const struct pq_ring *ring)
{
	struct perf_event_mmap_page *page = ring->page;

	__atomic_store_n(&page->data_tail, ring->tail, __ATOMIC_RELEASE);
}
