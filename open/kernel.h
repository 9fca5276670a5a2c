/* SPDX-License-Identifier: MIT */
/*
 * The one system call, and what is done with its descriptor, behind an interface so small that
 * tests can answer it. What is opened is not enabled. Knows nothing of why the kernel refuses.
 */
#ifndef PQ_OPEN_KERNEL_H
#define PQ_OPEN_KERNEL_H

#include "core/base.h"
#include <pmuq/attr.h>

struct pq_registers;
struct pq_work;

/* What an event opened with PQ_READ_TIMES gives, in the kernel's order. */
struct pq_times {
	uint64_t value, enabled_ns, running_ns;
};

/* read_format: TOTAL_TIME_ENABLED and TOTAL_TIME_RUNNING; and ID and GROUP too. */
#define PQ_READ_TIMES UINT64_C(0x3)
#define PQ_READ_GROUP UINT64_C(0xf)

/* What a group opened with PQ_READ_GROUP gives. */
struct pq_group_times {
	uint64_t n, enabled_ns, running_ns;
	struct {
		uint64_t value, id;
	} v[];
};

enum pq_switch {
	PQ_SWITCH_OFF,
	PQ_SWITCH_ON,
	PQ_SWITCH_RESET,
};

struct pq_kernel {
	/* A descriptor or -errno. With -E2BIG, attr->size becomes the size that the kernel knows.
	 */
	int (*open_event)(void *self, struct pmuq_attr *attr, int pid, int cpu, int group_fd,
			  unsigned long flags);
	void (*close_event)(void *self, int fd);

	/* What it takes to count; all but the last answer 0 or -errno. Switching a leader switches
	 * its group. A pinned event that lost its counter reads -ENODATA. */
	int (*switch_event)(void *self, int fd, enum pq_switch to);
	int (*read_event)(void *self, int fd, struct pq_times *ret);
	int (*read_group)(void *self, int fd, struct pq_group_times *ret, size_t ret_bytes);
	int (*id_of)(void *self, int fd, uint64_t *ret);
	int (*map_page)(void *self, int fd, const void **ret);
	void (*unmap_page)(void *self, const void *page);
	void (*work)(void *self, const struct pq_work *work);
	const struct pq_registers *registers; /* NULL: this architecture's are not known */
	void *self;
};

/* One call: what is asked, and of whom. */
struct pq_trial {
	struct pmuq_attr attr;
	int pid;	/* 0: this task; -1: everything on the CPU; or see is_cgroup */
	int cpu;	/* -1: any */
	int group_fd;	/* the leader, or -1 */
	bool is_cgroup; /* pid is the descriptor of a cgroup's directory */
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
