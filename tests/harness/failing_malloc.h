/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out when the test says so, by the linker's --wrap: what links it is given
 * failing_malloc_args of tests/unit/meson.build.
 */
#ifndef PQ_TEST_FAILING_MALLOC_H
#define PQ_TEST_FAILING_MALLOC_H

#include <stdbool.h>

/* What is asked for the n-th time from now on (from 0) is refused, and nothing else. */
void fail_malloc_at(unsigned n);
/* Answers whether it was. */
bool fail_malloc_no_more(void);

#endif
