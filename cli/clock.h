/* SPDX-License-Identifier: MIT */
/* The time that the command stores: of a scan, a check, an import, a capture. */
#pragma once

#include <stdint.h>

/* Seconds since 1970: the number in SOURCE_DATE_EPOCH if it is set, for reproducible output;
 * otherwise the time of the clock. A text that is not a number is ignored. */
int64_t clock_now_s(void);
/* "2026-11-26 22:40 UTC", to be freed; "unknown" if there is no such year. */
char *clock_text(int64_t time_s);
/* Milliseconds of a clock that never goes back, for waiting. */
int64_t clock_running_ms(void);
