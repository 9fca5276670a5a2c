/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out when the test requests it, by the linker's --wrap: programs that link it
 * need failing_malloc_args of tests/unit/meson.build.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Only the n-th allocation from now on (from 0) fails. */
void fail_malloc_at(unsigned n);
/* Whether it has failed. */
bool fail_malloc_no_more(void);
/* The call stack of the last one that failed, to standard error; addr2line -fe PROGRAM reads the
 * addresses. */
void fail_malloc_print_stack(void);

/* Notes the call stack of each allocation from now on. */
void list_mallocs(void);
/* Ends that. The numbers of the allocations (from 0) whose call stack no list had before; of all if
 * PMUQ_ALL_CALLS is in the environment. Valid until the next list. */
const unsigned *list_mallocs_end(size_t *ret_n);
