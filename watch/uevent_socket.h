/* SPDX-License-Identifier: MIT */
/* The socket on which the kernel announces uevents. */
#pragma once

#include "core/str.h"

/* A descriptor, which the caller closes, or -errno: a sandbox may forbid such sockets. */
int pq_uevent_socket_open(void);
/* Whether uevents reach this network namespace: only those that belong to the first user namespace
 * get them. */
bool pq_uevent_socket_is_reached(void);

enum pq_uevent_read {
	PQ_UEVENT_READ,	   /* *ret is a message of the kernel */
	PQ_UEVENT_FOREIGN, /* a message of somebody else, which was dropped */
	PQ_UEVENT_LOST,	   /* the kernel dropped messages */
	PQ_UEVENT_NOTHING, /* no message is waiting */
};

/* A message of the kernel fits into this (UEVENT_BUFFER_SIZE is 2,048, plus the header). */
#define PQ_UEVENT_BYTES 8192

enum pq_uevent_read pq_uevent_socket_read(int fd, char buffer[PQ_UEVENT_BYTES],
					  struct pmuq_str *ret);
