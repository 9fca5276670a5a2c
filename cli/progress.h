/* SPDX-License-Identifier: MIT */
/*
 * A line on stderr with the progress, if stderr is a terminal; otherwise nothing. It is overwritten
 * with blanks and carriage returns, which every terminal supports, and erased at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool is_on;
	size_t n_shown;	 /* columns in use */
	int64_t next_ns; /* when it may be drawn again, on the monotonic clock */
};

void progress_begin(struct progress *progress);
/* `done` of `total`; the current item is `what`. Cheap: draws a few times a second. */
void progress_show(struct progress *progress, size_t done, size_t total, const char *what);
/* Erases the line; it may be drawn again. */
void progress_end(struct progress *progress);
/* Before a message on stderr: erases the line of whoever draws one. */
void progress_make_way(void);
