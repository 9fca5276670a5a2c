/* SPDX-License-Identifier: MIT */
/*
 * A process that is spoken to over one socket: nothing else of the caller reaches it, no
 * descriptor, no environment, no blocked or ignored signal, no Ctrl-C; and nothing of it stays
 * behind.
 */
#ifndef PQ_PFM_PROCESS_H
#define PQ_PFM_PROCESS_H

#include "core/base.h"

struct pq_process {
	int fd;	    /* the socket; -1 when nothing runs */
	int pid_fd; /* -1 where the kernel has none */
	pid_t pid, owner;
};

#define PQ_PROCESS_NONE ((struct pq_process){ .fd = -1, .pid_fd = -1 })

/* 0, or a negative errno. */
int pq_process_start(const char *path, struct pq_process *ret);
/* Whether it was started, by this process and not by one that forked it. */
bool pq_process_is_mine(const struct pq_process *process);
/* Ends it, and waits. Returns how it ended, as waitpid(2): -1 when that is not known. */
int pq_process_stop(struct pq_process *process);

#endif
