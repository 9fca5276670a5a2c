/* SPDX-License-Identifier: MIT */
/* cmocka.h and the headers that it needs before it, in that order. */
#pragma once

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
