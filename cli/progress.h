/* SPDX-License-Identifier: MIT */
/*
 * A line on stderr with the progress, if stderr is a terminal; else nothing. It is
 * written over in place with blanks and returns, which every terminal takes, and leaves nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool is_on;
	size_t n_shown;	 /* columns that are written on */
	int64_t next_ns; /* when it may be drawn again, on the monotonic clock */
};

void progress_begin(struct progress *progress);
/* `done` of `total`, now at `what`. Cheap: draws some times a second. */
void progress_show(struct progress *progress, size_t done, size_t total, const char *what);
/* Takes the line away; it may be shown again. */
void progress_end(struct progress *progress);
