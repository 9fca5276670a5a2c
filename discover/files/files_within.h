/* SPDX-License-Identifier: MIT */
/* Opening by path without ever leaving a captured tree. */
#ifndef PQ_FILES_WITHIN_H
#define PQ_FILES_WITHIN_H

#include "discover/files/root.h"

/* As openat(2): a descriptor, or -1 with errno. On a live machine it is just that. */
int pq_open_within(struct pq_root *root, int dir, const char *path, int flags,
		   enum pq_within within);

#endif
