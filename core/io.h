/* SPDX-License-Identifier: MIT */
/* Reading and writing, also if signals interrupt it. */
#pragma once

#include "core/str.h"
#include <errno.h>
#include <unistd.h>

/* As read(2). */
static inline ssize_t pq_read(int fd, void *to, size_t n)
{
	ssize_t got;

	do
		got = read(fd, to, n);
	while (got < 0 && errno == EINTR);
	return got;
}

/* Writes all of the text. False with errno. */
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
