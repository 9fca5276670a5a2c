/* SPDX-License-Identifier: MIT */
/*
 * A process with one socket to its parent, as stdin and stdout; stderr is /dev/null. It inherits no
 * other descriptor, no environment variable, no blocked or ignored signal, no Ctrl-C; and nothing
 * of it remains after pq_process_stop(). The user, the directory and the limits are its parent's.
 */
#pragma once

#include "core/base.h"

struct pq_process {
	int fd;	    /* the socket; -1 if nothing runs */
	int pid_fd; /* -1 if the kernel has none: before Linux 5.3 */
	/* Whether the owner started it. After fork(2) the child must neither kill it nor wait for
	 * it. */
	pid_t pid, owner;
};

#define PQ_PROCESS_NONE ((struct pq_process){ .fd = -1, .pid_fd = -1 })

/* `path` is not searched for in $PATH. 0, or a negative errno: then *ret is unchanged. */
int pq_process_start(const char *path, struct pq_process *ret);
/* Whether this process started it, not the parent that forked this one. */
bool pq_process_is_mine(const struct pq_process *process);
/* Kills it and waits; only closes the descriptors if the caller does not own it. Returns the status
 * of waitpid(2); -1 if nothing ran, or if the status is not known, because the process is another's
 * or somebody else waited for it. */
int pq_process_stop(struct pq_process *process);
