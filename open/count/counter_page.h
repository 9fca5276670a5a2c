/* SPDX-License-Identifier: MIT */
/* The page that the kernel maps for an event, and the counter that user space can read with it. */
#pragma once

#include "open/count/registers.h"
#include <pmuq/pmuq.h>

/* The start of struct perf_event_mmap_page: perf_event_open(2). */
struct pq_event_page {
	uint32_t version, compat_version;
	uint32_t lock;	/* a sequence lock: it changes when the kernel writes */
	uint32_t index; /* of the counter, plus 1; 0: the event is on no counter now */
	int64_t offset; /* to be added to the counter */
	uint64_t time_enabled, time_running; /* ns */
	uint64_t capabilities;
	uint16_t pmc_width, time_shift; /* bits of the counter; see time_mult */
	uint32_t time_mult;
	uint64_t time_offset, time_zero;
	uint32_t size, reserved;
	uint64_t time_cycles, time_mask;
};

/* Bits of capabilities. Bits 0 and 1 show only whether the kernel is older than Linux 3.12. */
#define PQ_PAGE_RDPMC (UINT64_C(1) << 2)
#define PQ_PAGE_TIME (UINT64_C(1) << 3)
#define PQ_PAGE_TIME_ZERO (UINT64_C(1) << 4)
#define PQ_PAGE_TIME_SHORT (UINT64_C(1) << 5)

/*
 * Reads the page and, if the kernel allows it and the event is this thread's own, the counter.
 * `registers` may be NULL. Returns why the counter was not read (static), or NULL.
 */
const char *pq_page_read(const void *page, const struct pq_registers *registers, bool is_own,
			 struct pmuq_page *ret);
