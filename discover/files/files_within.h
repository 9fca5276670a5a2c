/* SPDX-License-Identifier: MIT */
/* Opening a file by its path without leaving a captured tree. */
#ifndef PQ_FILES_WITHIN_H
#define PQ_FILES_WITHIN_H

#include "discover/files/root.h"

/* As openat(2): a file descriptor, or -1 with errno. On a live machine it is openat(2). */
int pq_files_open_within(struct pq_root *root, int dir, const char *path, int flags,
			 enum pq_within within);

#endif
