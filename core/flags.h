/* SPDX-License-Identifier: MIT */
/*
 * THE vocabularies of bits in an attr, as perf_event_open(2) names and numbers them, and the sizes
 * of an attr that kernels have published. Each bit has one row here: its name in C without the
 * prefix, and its number. core/flags.c compares them with the system's header.
 */
#pragma once

#include "core/str.h"

// clang-format off
/* sample_type: PERF_SAMPLE_… */
#define PQ_SAMPLE_BITS(ROW) \
	ROW(IP,              0) \
	ROW(TID,             1) \
	ROW(TIME,            2) \
	ROW(ADDR,            3) \
	ROW(READ,            4) \
	ROW(CALLCHAIN,       5) \
	ROW(ID,              6) \
	ROW(CPU,             7) \
	ROW(PERIOD,          8) \
	ROW(STREAM_ID,       9) \
	ROW(RAW,            10) \
	ROW(BRANCH_STACK,   11) \
	ROW(REGS_USER,      12) \
	ROW(STACK_USER,     13) \
	ROW(WEIGHT,         14) \
	ROW(DATA_SRC,       15) \
	ROW(IDENTIFIER,     16) \
	ROW(TRANSACTION,    17) \
	ROW(REGS_INTR,      18) \
	ROW(PHYS_ADDR,      19) \
	ROW(AUX,            20) \
	ROW(CGROUP,         21) \
	ROW(DATA_PAGE_SIZE, 22) \
	ROW(CODE_PAGE_SIZE, 23) \
	ROW(WEIGHT_STRUCT,  24)

/* read_format: PERF_FORMAT_… */
#define PQ_READ_BITS(ROW) \
	ROW(TOTAL_TIME_ENABLED, 0) \
	ROW(TOTAL_TIME_RUNNING, 1) \
	ROW(ID,                 2) \
	ROW(GROUP,              3) \
	ROW(LOST,               4)

/* branch_sample_type: PERF_SAMPLE_BRANCH_… */
#define PQ_BRANCH_BITS(ROW) \
	ROW(USER,        0) \
	ROW(KERNEL,      1) \
	ROW(HV,          2) \
	ROW(ANY,         3) \
	ROW(ANY_CALL,    4) \
	ROW(ANY_RETURN,  5) \
	ROW(IND_CALL,    6) \
	ROW(ABORT_TX,    7) \
	ROW(IN_TX,       8) \
	ROW(NO_TX,       9) \
	ROW(COND,       10) \
	ROW(CALL_STACK, 11) \
	ROW(IND_JUMP,   12) \
	ROW(CALL,       13) \
	ROW(NO_FLAGS,   14) \
	ROW(NO_CYCLES,  15) \
	ROW(TYPE_SAVE,  16) \
	ROW(HW_INDEX,   17) \
	ROW(PRIV_SAVE,  18) \
	ROW(COUNTERS,   19)

/* bp_type: HW_BREAKPOINT_… */
#define PQ_BREAKPOINT_BITS(ROW) \
	ROW(R, 0) \
	ROW(W, 1) \
	ROW(X, 2)

/* PERF_ATTR_SIZE_VER…, bytes; the index of the row is the number of the version. */
#define PQ_ATTR_SIZES(ROW) \
	ROW(0,  64) \
	ROW(1,  72) \
	ROW(2,  80) \
	ROW(3,  96) \
	ROW(4, 104) \
	ROW(5, 112) \
	ROW(6, 120) \
	ROW(7, 128) \
	ROW(8, 136) \
	ROW(9, 144)
// clang-format on

#define PQ_SAMPLE_VALUE(name, bit) PQ_SAMPLE_##name = 1u << (bit),
#define PQ_READ_VALUE(name, bit) PQ_READ_##name = 1u << (bit),
#define PQ_BRANCH_VALUE(name, bit) PQ_BRANCH_##name = 1u << (bit),
#define PQ_BREAKPOINT_VALUE(name, bit) PQ_BREAKPOINT_##name = 1u << (bit),
enum { PQ_SAMPLE_BITS(PQ_SAMPLE_VALUE) };
enum { PQ_READ_BITS(PQ_READ_VALUE) };
enum { PQ_BRANCH_BITS(PQ_BRANCH_VALUE) };
enum { PQ_BREAKPOINT_BITS(PQ_BREAKPOINT_VALUE) };

/* The bits that select whose branches are recorded, not which branches. */
#define PQ_BRANCH_LEVELS (PQ_BRANCH_USER | PQ_BRANCH_KERNEL | PQ_BRANCH_HV)
/* The sample_type that perf uses for tracepoints and BPF output. */
#define PQ_SAMPLE_TRACEPOINT (PQ_SAMPLE_TIME | PQ_SAMPLE_CPU | PQ_SAMPLE_PERIOD | PQ_SAMPLE_RAW)

struct pq_flags {
	const char *prefix;	  /* "PERF_SAMPLE_" */
	const char *const *names; /* by bit, NULL for one without a name */
	unsigned n;
};
extern const struct pq_flags pq_sample_flags, pq_read_flags, pq_branch_flags, pq_breakpoint_flags;

/* The name of a bit without the prefix; NULL if it has none. */
const char *pq_flag_name(const struct pq_flags *flags, unsigned bit);

#define PQ_ATTR_SIZE_FIRST 64u
/* How many sizes were published, and the one of a version below that. */
#define PQ_ATTR_VERSIONS 10u
uint32_t pq_attr_version_size(unsigned version);
/* Whether a kernel published an attr of that many bytes, and in which version; ret may be NULL. */
bool pq_attr_size_version(uint64_t size, unsigned *ret);
