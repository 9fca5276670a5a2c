/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>

/* Gets that much memory from the kernel at once, for malloc() to use. Without effect on errors and
 * on systems that cannot do it: malloc() then gets it page by page. Not for threads. */
void heap_prepare(size_t bytes);
