/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out when the test requests it, by the linker's --wrap: programs that link it
 * need failing_malloc_args of tests/unit/meson.build.
 */
#pragma once

#include <stdbool.h>

/* Only the n-th allocation from now on (from 0) fails. */
void fail_malloc_at(unsigned n);
/* Whether it has failed. */
bool fail_malloc_no_more(void);
