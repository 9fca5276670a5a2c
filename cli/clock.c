/* SPDX-License-Identifier: MIT */
/*
 * The only function that reads the clock for a stored time, so that tests and reproducible builds
 * can set it; and the clock of waiting.
 */
#include "cli/clock.h"
#include "cli/or_die.h"
#include "core/num.h"
#include <stdlib.h>
#include <time.h>

int64_t clock_now_s(void)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");
	uint64_t fixed_s;

	if (text && pq_num_decimal(str_of(text), &fixed_s) == PQ_NUM_OK && fixed_s <= INT64_MAX)
		return (int64_t)fixed_s;
	return (int64_t)time(NULL);
}

char *clock_text(int64_t time_s)
{
	time_t time = (time_t)time_s;
	char text[64] = "unknown";
	struct tm utc;

	if (gmtime_r(&time, &utc))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &utc);
	return or_die(strdup(text));
}

int64_t clock_running_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
