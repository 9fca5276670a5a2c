/* SPDX-License-Identifier: MIT */
/* Opening by path without ever leaving a captured tree. */
#ifndef PQ_ROOT_WITHIN_H
#define PQ_ROOT_WITHIN_H

struct pq_root;

enum pq_within {
	PQ_WITHIN_ROOT,	    /* links are followed as if the root were "/" */
	PQ_WITHIN_NO_LINKS, /* no part of the path may be a link */
};

/* As openat(2): a descriptor, or -1 with errno. On a live machine it is just that. */
int pq_open_within(struct pq_root *root, int dir, const char *path, int flags,
		   enum pq_within within);

#endif
