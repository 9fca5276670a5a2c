/* SPDX-License-Identifier: MIT */
/* Writing to a file. */
#pragma once

#include "core/str.h"
#include <errno.h>
#include <unistd.h>

/* Writes all of the text, also if signals interrupt it. False with errno. */
static inline bool pq_write_all(int fd, struct pmuq_str text)
{
	while (text.n) {
		ssize_t n = write(fd, text.p, text.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		text = str_part(text, (size_t)n, text.n);
	}
	return true;
}
