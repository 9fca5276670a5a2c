/* SPDX-License-Identifier: MIT */
/* Opens files below a directory with untrusted content: no path leads out of it. */
#pragma once

#include "core/base.h"
#include <linux/openat2.h>

/*
 * As openat(2): a file descriptor, or -1 with errno. `resolve` is that of openat2(2), which
 * resolves the path in one call. If the kernel (before 5.6) or a sandbox does not have it,
 * *has_openat2 becomes false, and the path is walked part by part: no symbolic link is followed,
 * and ".." is refused.
 */
int pq_open_within(int dir, const char *path, int flags, uint64_t resolve, bool *has_openat2);
