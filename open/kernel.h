/* SPDX-License-Identifier: MIT */
/*
 * perf_event_open(2) and the operations on its descriptors, as an interface that tests replace.
 * Opening never enables an event.
 */
#pragma once

#include "core/cpulist.h"
#include "core/flags.h"
#include <pmuq/opened.h>

struct pq_registers;

/* count/busy_work.c: something to count, user space and kernel work for a while. */
struct pq_busy_work {
	unsigned ms; /* in total; longer if there are many CPUs to visit, for 0.2 ms each */
	const struct pq_cpus *cpus; /* to work on; NULL: any */
	bool visits_each;	    /* works on each of them in turn; else on any of them */
	bool is_waiting;	    /* only sleeps: another task works */
	struct pq_arena *scratch;   /* is_refused is set if there was no memory to choose CPUs */
};

/* Works in the calling thread and restores its CPU affinity. Skips CPUs on which the thread may not
 * run. */
void pq_busy_work_do(const struct pq_busy_work *work);

/* What an event opened with PQ_FORMAT_TIMES reads, in the kernel's order: "Reading results" in
 * perf_event_open(2). */
struct pq_times {
	uint64_t value, enabled_ns, running_ns;
};

/* read_format of an event alone, and of a group. */
#define PQ_FORMAT_TIMES ((uint64_t)(PQ_READ_TOTAL_TIME_ENABLED | PQ_READ_TOTAL_TIME_RUNNING))
#define PQ_FORMAT_GROUP (PQ_FORMAT_TIMES | PQ_READ_ID | PQ_READ_GROUP)

/* What a group opened with PQ_FORMAT_GROUP reads: the leader first, then the members in the order
 * in which they were opened. */
struct pq_group_times {
	uint64_t n, enabled_ns, running_ns;
	struct {
		uint64_t value, id;
	} v[];
};

/* Adds what one event read to the sum over its targets. Scaled is the value as if the event had run
 * all the time that it was enabled. */
static inline void pq_times_add(struct pmuq_value *sum, const struct pq_times *times)
{
	bool is_partial = times->running_ns && times->running_ns < times->enabled_ns;
	double factor = is_partial ? (double)times->enabled_ns / (double)times->running_ns : 1;

	sum->value += times->value;
	sum->time_enabled_ns += times->enabled_ns;
	sum->time_running_ns += times->running_ns;
	sum->scaled += is_partial ? (uint64_t)((double)times->value * factor) : times->value;
}

enum pq_switch {
	PQ_SWITCH_OFF,
	PQ_SWITCH_ON,
	PQ_SWITCH_RESET,
};

struct pq_kernel {
	/* A descriptor or -errno. With -E2BIG, sets attr->size to the size that the kernel
	 * supports.
	 */
	int (*open_event)(void *self, struct pmuq_attr *attr, int pid, int cpu, int group_fd,
			  unsigned long flags);
	void (*close_event)(void *self, int fd);

	/* These return 0 or -errno. Switching a leader switches its group. Reading a pinned event
	 * that lost its counter fails with -ENODATA. read_event() returns a struct pq_times, or a
	 * struct pq_group_times with exactly the events of the group: `bytes` is the size of that.
	 * map() maps struct perf_event_mmap_page, which is a page, and the ring buffer after it, if
	 * there are more bytes; with `is_written` the caller stores how far it has read.
	 * redirect() lets an event write to the ring buffer of another one; poll_with() adds it to
	 * an epoll descriptor, as `number`. */
	int (*switch_event)(void *self, int fd, enum pq_switch to);
	int (*read_event)(void *self, int fd, void *ret, size_t bytes);
	int (*read_id)(void *self, int fd, uint64_t *ret);
	int (*map)(void *self, int fd, size_t bytes, bool is_written, void **ret);
	void (*unmap)(void *self, void *mapped, size_t bytes);
	int (*redirect)(void *self, int fd, int to);
	int (*poll_with)(void *self, int fd, int epoll, uint64_t number);
	void (*work)(void *self, const struct pq_busy_work *work);
	const struct pq_registers *registers; /* NULL: unknown for this architecture */
	void *self;
};

static inline size_t pq_page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* The arguments of one call. */
struct pq_open_call {
	struct pmuq_attr attr;
	int pid;	/* 0: this task; -1: all tasks on the CPU; or see is_cgroup */
	int cpu;	/* -1: any */
	int group_fd;	/* the leader, or -1 */
	bool is_cgroup; /* pid is the descriptor of a cgroup's directory */
};

/* How often a call that fails with EINTR or EAGAIN is made before that counts as a refusal. */
#define PQ_KERNEL_TRIES 16u

/* Why map() failed; static. */
const char *pq_why_not_mapped(int errnum, bool is_inherited);

/* The running kernel. */
struct pq_kernel pq_kernel_running(void);

/* A descriptor for pq_kernel_close(), or -errno. Sets *ret_size (may be NULL) with -E2BIG only. It
 * decides attr.disabled: a leader is disabled, a member is not, since it waits for its leader. */
int pq_kernel_open(const struct pq_kernel *kernel, const struct pq_open_call *call,
		   uint32_t *ret_size);
void pq_kernel_close(const struct pq_kernel *kernel, int fd);
/* Opens and closes the event: 0 or -errno. */
int pq_kernel_try(const struct pq_kernel *kernel, const struct pq_open_call *call,
		  uint32_t *ret_size);
