/* SPDX-License-Identifier: MIT */
/* The vocabularies of bits, compared with the names and values of the system's header:
 * core/flags.h. */
#include "core/flags.h"
#include "tests/unit/cmocka_all.h"
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

/* The name of a bit in the header, and its value. */
struct flag_row {
	const struct pq_flags *flags;
	const char *name;
	uint64_t value;
};
#define FLAG(of, flag)                                                                             \
	{                                                                                          \
		.flags = &pq_##of##_flags, .name = #flag, .value = flag                            \
	}

// clang-format off
static const struct flag_row rows[] = {
	FLAG(sample, PERF_SAMPLE_IP), FLAG(sample, PERF_SAMPLE_TID), FLAG(sample, PERF_SAMPLE_TIME),
	FLAG(sample, PERF_SAMPLE_ADDR), FLAG(sample, PERF_SAMPLE_READ),
	FLAG(sample, PERF_SAMPLE_CALLCHAIN), FLAG(sample, PERF_SAMPLE_ID),
	FLAG(sample, PERF_SAMPLE_CPU), FLAG(sample, PERF_SAMPLE_PERIOD),
	FLAG(sample, PERF_SAMPLE_STREAM_ID), FLAG(sample, PERF_SAMPLE_RAW),
	FLAG(sample, PERF_SAMPLE_BRANCH_STACK), FLAG(sample, PERF_SAMPLE_REGS_USER),
	FLAG(sample, PERF_SAMPLE_STACK_USER), FLAG(sample, PERF_SAMPLE_WEIGHT),
	FLAG(sample, PERF_SAMPLE_DATA_SRC), FLAG(sample, PERF_SAMPLE_IDENTIFIER),
	FLAG(sample, PERF_SAMPLE_TRANSACTION), FLAG(sample, PERF_SAMPLE_REGS_INTR),
	FLAG(sample, PERF_SAMPLE_PHYS_ADDR), FLAG(sample, PERF_SAMPLE_AUX),
	FLAG(sample, PERF_SAMPLE_CGROUP), FLAG(sample, PERF_SAMPLE_DATA_PAGE_SIZE),
	FLAG(sample, PERF_SAMPLE_CODE_PAGE_SIZE), FLAG(sample, PERF_SAMPLE_WEIGHT_STRUCT),
	FLAG(read, PERF_FORMAT_TOTAL_TIME_ENABLED), FLAG(read, PERF_FORMAT_TOTAL_TIME_RUNNING),
	FLAG(read, PERF_FORMAT_ID), FLAG(read, PERF_FORMAT_GROUP),
	FLAG(branch, PERF_SAMPLE_BRANCH_USER), FLAG(branch, PERF_SAMPLE_BRANCH_KERNEL),
	FLAG(branch, PERF_SAMPLE_BRANCH_HV), FLAG(branch, PERF_SAMPLE_BRANCH_ANY),
	FLAG(branch, PERF_SAMPLE_BRANCH_ANY_CALL), FLAG(branch, PERF_SAMPLE_BRANCH_ANY_RETURN),
	FLAG(branch, PERF_SAMPLE_BRANCH_IND_CALL), FLAG(branch, PERF_SAMPLE_BRANCH_ABORT_TX),
	FLAG(branch, PERF_SAMPLE_BRANCH_IN_TX), FLAG(branch, PERF_SAMPLE_BRANCH_NO_TX),
	FLAG(branch, PERF_SAMPLE_BRANCH_COND), FLAG(branch, PERF_SAMPLE_BRANCH_CALL_STACK),
	FLAG(branch, PERF_SAMPLE_BRANCH_IND_JUMP), FLAG(branch, PERF_SAMPLE_BRANCH_CALL),
	FLAG(branch, PERF_SAMPLE_BRANCH_NO_FLAGS), FLAG(branch, PERF_SAMPLE_BRANCH_NO_CYCLES),
	FLAG(branch, PERF_SAMPLE_BRANCH_TYPE_SAVE), FLAG(branch, PERF_SAMPLE_BRANCH_HW_INDEX),
	FLAG(breakpoint, HW_BREAKPOINT_R), FLAG(breakpoint, HW_BREAKPOINT_W),
	FLAG(breakpoint, HW_BREAKPOINT_X),
};
// clang-format on

static void names_and_values_are_the_header_s(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned bit = (unsigned)__builtin_ctzll(rows[i].value);
		const char *name = pq_flag_name(rows[i].flags, bit);
		char full[64];

		if (!name)
			fail_msg("%s has no name", rows[i].name);
		snprintf(full, sizeof(full), "%s%s", rows[i].flags->prefix, name ? name : "");
		assert_string_equal(full, rows[i].name);
	}
}

/* Newer than some headers: their values are stated here. */
static void later_bits_have_the_kernel_s_numbers(void **state)
{
	(void)state;
	assert_string_equal(pq_flag_name(&pq_read_flags, 4), "LOST");
	assert_string_equal(pq_flag_name(&pq_branch_flags, 18), "PRIV_SAVE");
	assert_string_equal(pq_flag_name(&pq_branch_flags, 19), "COUNTERS");
}

static void bits_beyond_the_last_have_no_name(void **state)
{
	static const struct pq_flags *const all[] = { &pq_sample_flags, &pq_read_flags,
						      &pq_branch_flags, &pq_breakpoint_flags };

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++) {
		for (unsigned bit = 0; bit < all[i]->n; bit++)
			assert_non_null(pq_flag_name(all[i], bit));
		assert_null(pq_flag_name(all[i], all[i]->n));
		assert_null(pq_flag_name(all[i], 63));
	}
}

static void sizes_are_those_that_kernels_published(void **state)
{
	static const uint32_t sizes[] = {
		PERF_ATTR_SIZE_VER0,
		PERF_ATTR_SIZE_VER1,
		PERF_ATTR_SIZE_VER2,
		PERF_ATTR_SIZE_VER3,
		PERF_ATTR_SIZE_VER4,
		PERF_ATTR_SIZE_VER5,
		PERF_ATTR_SIZE_VER6,
		PERF_ATTR_SIZE_VER7,
		136,
		144,
	};
	unsigned version = 0, n = 0;

	(void)state;
	assert_int_equal(COUNT(sizes), PQ_ATTR_VERSIONS);
	for (unsigned i = 0; i < COUNT(sizes); i++) {
		assert_int_equal(pq_attr_version_size(i), sizes[i]);
		assert_true(pq_attr_size_version(sizes[i], &version));
		assert_int_equal(version, i);
	}
	for (uint64_t size = 0; size < 4096; size++)
		n += pq_attr_size_version(size, NULL);
	assert_int_equal(n, COUNT(sizes));
	assert_false(pq_attr_size_version((UINT64_C(1) << 32) + 64, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_values_are_the_header_s),
		cmocka_unit_test(later_bits_have_the_kernel_s_numbers),
		cmocka_unit_test(bits_beyond_the_last_have_no_name),
		cmocka_unit_test(sizes_are_those_that_kernels_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
