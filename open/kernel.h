/* SPDX-License-Identifier: MIT */
/*
 * The one system call, behind an interface so small that tests can answer it. What is opened is
 * never enabled. Knows nothing of why the kernel refuses.
 */
#ifndef PQ_OPEN_KERNEL_H
#define PQ_OPEN_KERNEL_H

#include "core/base.h"
#include <pmuq/attr.h>

struct pq_kernel {
	/* A descriptor or -errno. With -E2BIG, attr->size becomes the size that the kernel knows.
	 */
	int (*open_event)(void *self, struct pmuq_attr *attr, int pid, int cpu, int group_fd,
			  unsigned long flags);
	void (*close_event)(void *self, int fd);
	void *self;
};

/* One call: what is asked, and of whom. */
struct pq_trial {
	struct pmuq_attr attr;
	int pid;      /* 0: this task; -1: everything on the CPU */
	int cpu;      /* -1: any */
	int group_fd; /* the leader, or -1 */
};

/* How often an interrupted call is repeated before that is taken for the answer. */
#define PQ_KERNEL_TRIES 16u

/* The kernel that runs. */
struct pq_kernel pq_kernel_running(void);

/* A descriptor for pq_kernel_close(), or -errno. *ret_size (may be NULL) is set with -E2BIG only.
 */
int pq_kernel_open(const struct pq_kernel *kernel, const struct pq_trial *trial,
		   uint32_t *ret_size);
void pq_kernel_close(const struct pq_kernel *kernel, int fd);
/* Opens and closes: 0 or -errno. */
int pq_kernel_try(const struct pq_kernel *kernel, const struct pq_trial *trial, uint32_t *ret_size);

#endif
