/* SPDX-License-Identifier: MIT */
/* The only file with instructions of a processor. */
#include "open/count/registers.h"

#if defined(__x86_64__) || defined(__i386__)

static bool read_counter(uint32_t number, uint64_t *ret)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
	*ret = (uint64_t)high << 32 | low;
	return true;
}

static uint64_t read_clock(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

#define CYCLE_COUNTER 31

/* The number of the register is a part of the instruction. */
// clang-format off
#define EVENT_COUNTERS(X) \
	X(0)  X(1)  X(2)  X(3)  X(4)  X(5)  X(6)  X(7) \
	X(8)  X(9)  X(10) X(11) X(12) X(13) X(14) X(15) \
	X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) \
	X(24) X(25) X(26) X(27) X(28) X(29) X(30)
// clang-format on

#define READ_COUNTER(n)                                                                            \
	case n:                                                                                    \
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(*ret));                       \
		return true;

static bool read_counter(uint32_t number, uint64_t *ret)
{
	__asm__ volatile("isb");
	switch (number) {
		EVENT_COUNTERS(READ_COUNTER)
	case CYCLE_COUNTER:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(*ret));
		return true;
	default:
		return false;
	}
}

static uint64_t read_clock(void)
{
	uint64_t ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}

#endif

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)

const struct pq_registers *pq_registers_here(void)
{
	static const struct pq_registers here = {
		.read_counter = read_counter,
		.read_clock = read_clock,
	};

	return &here;
}

#else

const struct pq_registers *pq_registers_here(void)
{
	return NULL;
}

#endif
