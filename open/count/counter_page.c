/* SPDX-License-Identifier: MIT */
/* The protocol of perf_event_mmap_page(perf_event_open(2)): repeat until the lock did not change.
 */
#include "open/count/counter_page.h"
#include <assert.h>

/* The kernel writes for some nanoseconds at a time. */
#define TRIES_MAX 100000u

static_assert(offsetof(struct pq_event_page, time_mask) == 88,
	      "perf_event_mmap_page of the kernel");

/* What was read while the lock did not change. */
struct page_sample {
	struct pq_event_page page;
	bool is_counter_read;
	uint64_t counter, clock;
};

static uint32_t read_lock(const struct pq_event_page *page)
{
	return __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
}

static bool may_read(const struct pq_event_page *page)
{
	return page->capabilities & PQ_PAGE_RDPMC && page->index;
}

static void take_sample(const struct pq_event_page *page, const struct pq_registers *registers,
			struct page_sample *ret)
{
	ret->page = *(const volatile struct pq_event_page *)page;
	ret->is_counter_read = false;
	if (!registers)
		return;
	if (ret->page.capabilities & PQ_PAGE_TIME)
		ret->clock = registers->read_clock();
	if (may_read(&ret->page))
		ret->is_counter_read = registers->read_counter(ret->page.index - 1, &ret->counter);
}

static bool take_consistent(const struct pq_event_page *page, const struct pq_registers *registers,
			    struct page_sample *ret)
{
	for (unsigned i = 0; i < TRIES_MAX; i++) {
		uint32_t lock = read_lock(page);

		if (lock & 1)
			continue;
		take_sample(page, registers, ret);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (read_lock(page) == lock)
			return true;
	}
	return false;
}

/* A counter counts up from a negative number of its width. */
static uint64_t extend_sign(uint64_t counter, unsigned width)
{
	if (width == 0 || width >= 64)
		return counter;
	return (uint64_t)((int64_t)(counter << (64 - width)) >> (64 - width));
}

/* Nanoseconds since the kernel wrote the page. */
static uint64_t time_since(const struct page_sample *sample)
{
	const struct pq_event_page *page = &sample->page;
	uint64_t clock = sample->clock, whole, rest;

	if (page->capabilities & PQ_PAGE_TIME_SHORT)
		clock = page->time_cycles + ((clock - page->time_cycles) & page->time_mask);
	whole = clock >> (page->time_shift & 63);
	rest = clock & ((UINT64_C(1) << (page->time_shift & 63)) - 1);
	return page->time_offset + whole * page->time_mult +
	       (rest * page->time_mult >> (page->time_shift & 63));
}

static void fill(const struct page_sample *sample, struct pmuq_page *ret)
{
	const struct pq_event_page *page = &sample->page;

	ret->has_rdpmc = page->capabilities & PQ_PAGE_RDPMC;
	ret->has_time = page->capabilities & PQ_PAGE_TIME;
	ret->has_time_zero = page->capabilities & PQ_PAGE_TIME_ZERO;
	ret->index = page->index;
	ret->width_bits = page->pmc_width;
	ret->is_read = sample->is_counter_read;
	if (!ret->is_read)
		return;
	ret->value = (uint64_t)page->offset + extend_sign(sample->counter, page->pmc_width);
	ret->time_enabled_ns = page->time_enabled;
	ret->time_running_ns = page->time_running;
	if (!ret->has_time)
		return;
	ret->time_enabled_ns += time_since(sample);
	ret->time_running_ns += time_since(sample);
}

const char *pq_page_read(const void *page, const struct pq_registers *registers, bool is_own,
			 struct pmuq_page *ret)
{
	struct page_sample sample = { 0 };

	if (!take_consistent(page, is_own ? registers : NULL, &sample))
		return "the kernel did not stop writing to the page";
	fill(&sample, ret);
	if (ret->is_read)
		return NULL;
	if (!ret->has_rdpmc)
		return "the kernel does not let user space read the counter of this event";
	if (!is_own)
		return "only the kernel can read the counter of another task or of a CPU";
	if (!ret->index)
		return "the event was on no counter at that moment";
	return "pmuq cannot read that counter on this architecture";
}
