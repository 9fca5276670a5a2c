/* SPDX-License-Identifier: MIT */
#include "open/kernel.h"
#include <errno.h>
#include <sys/syscall.h>

/* PERF_FLAG_FD_CLOEXEC of perf_event_open(2). */
#define CLOEXEC_FLAG (1ul << 3)

static int open_running(void *self, struct pmuq_attr *attr, int pid, int cpu, int group_fd,
			unsigned long flags)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);

	(void)self;
	return fd < 0 ? -errno : (int)fd;
}

static void close_running(void *self, int fd)
{
	(void)self;
	close(fd);
}

struct pq_kernel pq_kernel_running(void)
{
	return (struct pq_kernel){ .open_event = open_running, .close_event = close_running };
}

int pq_kernel_open(const struct pq_kernel *kernel, const struct pq_trial *trial, uint32_t *ret_size)
{
	struct pmuq_attr attr;
	int r = -EINTR;

	for (unsigned i = 0; i < PQ_KERNEL_TRIES && (r == -EINTR || r == -EAGAIN); i++) {
		attr = trial->attr;
		attr.disabled = 1;
		r = kernel->open_event(kernel->self, &attr, trial->pid, trial->cpu, trial->group_fd,
				       CLOEXEC_FLAG);
	}
	if (r == -E2BIG && ret_size)
		*ret_size = attr.size;
	return r;
}

void pq_kernel_close(const struct pq_kernel *kernel, int fd)
{
	kernel->close_event(kernel->self, fd);
}

int pq_kernel_try(const struct pq_kernel *kernel, const struct pq_trial *trial, uint32_t *ret_size)
{
	int fd = pq_kernel_open(kernel, trial, ret_size);

	if (fd < 0)
		return fd;
	pq_kernel_close(kernel, fd);
	return 0;
}
