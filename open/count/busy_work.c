/* SPDX-License-Identifier: MIT */
/*
 * Work that makes most events count: branches, loads and stores, page faults, system calls, context
 * switches. Events of devices and of other tasks may still count 0.
 */
#include "open/kernel.h"
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#define NS_PER_MS UINT64_C(1000000)
#define SLICE_NS_MIN (NS_PER_MS / 5)

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * NS_PER_MS + (uint64_t)now.tv_nsec;
}

static void sleep_ns(uint64_t ns)
{
	struct timespec left = {
		.tv_sec = (time_t)(ns / (1000 * NS_PER_MS)),
		.tv_nsec = (long)(ns % (1000 * NS_PER_MS)),
	};

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

/* Unpredictable branches, and loads and stores all over some memory. */
static void compute(void)
{
	enum { WORDS = 512, STEPS = 200000 };
	static const uint64_t factor = 0x9e3779b97f4a7c15u;
	volatile uint64_t words[WORDS];
	uint64_t x = factor;

	for (size_t i = 0; i < WORDS; i++)
		words[i] = i;
	for (unsigned i = 0; i < STEPS; i++) {
		x = (x ^ x >> 29) * factor;
		if (x & 1 << 7)
			words[x % WORDS] += x;
		else
			x += words[x >> 32 & (WORDS - 1)];
	}
}

/* Page faults, system calls, and a context switch. */
static void enter_kernel(void)
{
	const size_t pages = 16, page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, pages * page_bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory != MAP_FAILED) {
		for (size_t i = 0; i < pages; i++)
			*(volatile char *)(memory + i * page_bytes) = 1;
		munmap(memory, pages * page_bytes);
	}
	for (unsigned i = 0; i < 64; i++)
		syscall(SYS_getppid);
	sleep_ns(1);
}

static void burn(uint64_t ns)
{
	uint64_t end = now_ns() + ns;

	do {
		compute();
		enter_kernel();
	} while (now_ns() < end);
}

/* A set for sched_setaffinity(2), of all CPUs that may ever exist. */
static cpu_set_t *new_set(void)
{
	return calloc(1, CPU_ALLOC_SIZE(PQ_CPUS_MAX));
}

static void burn_on_each(const struct pq_cpus *cpus, uint64_t ns, cpu_set_t *set)
{
	size_t bytes = CPU_ALLOC_SIZE(PQ_CPUS_MAX);
	uint64_t slice_ns = ns / pq_cpus_count(cpus);

	slice_ns = slice_ns > SLICE_NS_MIN ? slice_ns : SLICE_NS_MIN;
	for (unsigned cpu = pq_cpus_next(cpus, 0); cpu < PQ_CPUS_MAX;
	     cpu = pq_cpus_next(cpus, cpu + 1)) {
		CPU_ZERO_S(bytes, set);
		CPU_SET_S(cpu, bytes, set);
		if (sched_setaffinity(0, bytes, set) == 0)
			burn(slice_ns);
	}
}

static void burn_on_any(const struct pq_cpus *cpus, uint64_t ns, cpu_set_t *set)
{
	size_t bytes = CPU_ALLOC_SIZE(PQ_CPUS_MAX);

	for (unsigned cpu = pq_cpus_next(cpus, 0); cpu < PQ_CPUS_MAX;
	     cpu = pq_cpus_next(cpus, cpu + 1))
		CPU_SET_S(cpu, bytes, set);
	(void)sched_setaffinity(0, bytes, set);
	burn(ns);
}

static void burn_on(const struct pq_busy_work *work, uint64_t ns)
{
	size_t bytes = CPU_ALLOC_SIZE(PQ_CPUS_MAX);
	auto_free cpu_set_t *before = new_set(), *set = new_set();

	if (!before || !set) {
		work->scratch->is_refused = true; /* the call fails at its end */
		return;
	}
	if (sched_getaffinity(0, bytes, before) < 0) {
		burn(ns);
		return;
	}
	if (work->visits_each)
		burn_on_each(work->cpus, ns, set);
	else
		burn_on_any(work->cpus, ns, set);
	(void)sched_setaffinity(0, bytes, before);
}

void pq_busy_work_do(const struct pq_busy_work *work)
{
	uint64_t ns = work->ms * NS_PER_MS;

	if (work->is_waiting)
		sleep_ns(ns);
	else if (work->cpus && pq_cpus_count(work->cpus))
		burn_on(work, ns);
	else
		burn(ns);
}
