/* SPDX-License-Identifier: MIT */
/* Whether this program runs under ASan, where tests take a part of what they take otherwise. Only
 * GCC has a macro for it; older versions of clang do not. */
#pragma once

#ifdef __has_feature
#define PQ_CLANG_HAS(feature) __has_feature(feature)
#else
#define PQ_CLANG_HAS(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || PQ_CLANG_HAS(address_sanitizer)
#define IS_UNDER_ASAN true
#else
#define IS_UNDER_ASAN false
#endif
