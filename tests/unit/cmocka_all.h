/* SPDX-License-Identifier: MIT */
/* cmocka.h and the headers that it needs before it, in that order; and tests made of the rows of a
 * table. */
#pragma once

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <inttypes.h>

/* cmocka 2 deprecates assert_in_range(), and cmocka 1 does not have what replaces it. */
static inline void assert_between(uint64_t value, uint64_t first, uint64_t last)
{
	if (value < first || value > last)
		fail_msg("%" PRIu64 " is not between %" PRIu64 " and %" PRIu64, value, first, last);
}

/* Adds a test for each row of a table: its name is a member of the row, its state is the row.
 * Returns how many. */
#define ADD_ROWS(tests, function, rows, name_member)                                               \
	add_tests_of_rows(tests, function, rows, sizeof(rows) / sizeof((rows)[0]),                 \
			  sizeof((rows)[0]), &(rows)[0].name_member)

static inline size_t add_tests_of_rows(struct CMUnitTest *tests, CMUnitTestFunction function,
				       const void *rows, size_t n, size_t row_bytes,
				       const char *const *first_name)
{
	for (size_t i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){
			.name = *(const char *const *)((const char *)first_name + i * row_bytes),
			.test_func = function,
			.initial_state = (char *)(uintptr_t)rows + i * row_bytes,
		};
	return n;
}
