/* SPDX-License-Identifier: MIT */
/* Counters and clocks that user space can read without the kernel, for each architecture. */
#pragma once

#include "core/base.h"

struct pq_registers {
	/* The counter of that number, from 0; false: unknown here. The page must allow it
	 * (cap_user_rdpmc), else the process gets a SIGSEGV. */
	bool (*read_counter)(uint32_t number, uint64_t *ret);
	/* The clock that time_mult and time_shift of the page convert to nanoseconds. */
	uint64_t (*read_clock)(void);
};

/* NULL: there is no code for this architecture. */
const struct pq_registers *pq_registers_here(void);
