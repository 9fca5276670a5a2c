/* SPDX-License-Identifier: MIT */
/*
 * The names of bits, made from the rows of flags.h, and a comparison of their values with the
 * header of the build machine. Bits that an older header does not have are not compared.
 */
#include "core/flags.h"
#include <assert.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/version.h>

/* An older header has fewer of them: only its bits can be compared. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 0, 0)
#define PERF_FORMAT_LOST PQ_READ_LOST
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#define PERF_SAMPLE_BRANCH_PRIV_SAVE PQ_BRANCH_PRIV_SAVE
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define PERF_SAMPLE_BRANCH_COUNTERS PQ_BRANCH_COUNTERS
#endif
#ifndef PERF_ATTR_SIZE_VER8
#define PERF_ATTR_SIZE_VER8 136
#endif
#ifndef PERF_ATTR_SIZE_VER9
#define PERF_ATTR_SIZE_VER9 144
#endif

#define SAME(ours, theirs) static_assert((unsigned)(ours) == (unsigned)(theirs), #theirs);
#define SAMPLE(name, bit) SAME(PQ_SAMPLE_##name, PERF_SAMPLE_##name)
#define READ(name, bit) SAME(PQ_READ_##name, PERF_FORMAT_##name)
#define BRANCH(name, bit) SAME(PQ_BRANCH_##name, PERF_SAMPLE_BRANCH_##name)
#define BREAKPOINT(name, bit) SAME(PQ_BREAKPOINT_##name, HW_BREAKPOINT_##name)
#define SIZE(version, bytes) SAME(bytes, PERF_ATTR_SIZE_VER##version)
PQ_SAMPLE_BITS(SAMPLE)
PQ_READ_BITS(READ)
PQ_BRANCH_BITS(BRANCH)
PQ_BREAKPOINT_BITS(BREAKPOINT)
PQ_ATTR_SIZES(SIZE)

#define NAME(name, bit) [bit] = #name,
static const char *const sample_names[] = { PQ_SAMPLE_BITS(NAME) };
static const char *const read_names[] = { PQ_READ_BITS(NAME) };
static const char *const branch_names[] = { PQ_BRANCH_BITS(NAME) };
static const char *const breakpoint_names[] = { PQ_BREAKPOINT_BITS(NAME) };

#define VOCABULARY(of, of_prefix)                                                                  \
	const struct pq_flags pq_##of##_flags = {                                                  \
		.prefix = of_prefix,                                                               \
		.names = of##_names,                                                               \
		.n = COUNT(of##_names),                                                            \
	}
VOCABULARY(sample, "PERF_SAMPLE_");
VOCABULARY(read, "PERF_FORMAT_");
VOCABULARY(branch, "PERF_SAMPLE_BRANCH_");
VOCABULARY(breakpoint, "HW_BREAKPOINT_");

const char *pq_flag_name(const struct pq_flags *flags, unsigned bit)
{
	return bit < flags->n ? flags->names[bit] : NULL;
}

#define SIZE_OF_VERSION(version, bytes) [version] = bytes,
static const uint8_t sizes[] = { PQ_ATTR_SIZES(SIZE_OF_VERSION) };
static_assert(COUNT(sizes) == PQ_ATTR_VERSIONS, "a version more");

uint32_t pq_attr_version_size(unsigned version)
{
	return sizes[version];
}

bool pq_attr_size_version(uint64_t size, unsigned *ret)
{
	for (unsigned i = 0; i < COUNT(sizes); i++) {
		if (sizes[i] != size)
			continue;
		if (ret)
			*ret = i;
		return true;
	}
	return false;
}
