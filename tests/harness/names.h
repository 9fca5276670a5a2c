/* SPDX-License-Identifier: MIT */
/* The number of names in a directory, "." and ".." included. */
#pragma once

#include "tests/unit/cmocka_all.h"
#include <dirent.h>

static inline size_t count_names(const char *path)
{
	DIR *dir = opendir(path);
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* Of this process. */
static inline size_t count_descriptors(void)
{
	return count_names("/proc/self/fd");
}
