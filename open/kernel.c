/* SPDX-License-Identifier: MIT */
/* The system calls. diagnose/ finds out why the kernel refuses one. */
#include "open/kernel.h"
#include "core/io.h"
#include "open/count/registers.h"
#include <errno.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* PERF_FLAG_PID_CGROUP and PERF_FLAG_FD_CLOEXEC of perf_event_open(2). */
#define CGROUP_FLAG (1ul << 2)
#define CLOEXEC_FLAG (1ul << 3)
/* PERF_EVENT_IOC_ENABLE, _DISABLE, _RESET, _SET_OUTPUT, _ID and PERF_IOC_FLAG_GROUP. */
#define IOC_ENABLE _IO('$', 0)
#define IOC_DISABLE _IO('$', 1)
#define IOC_RESET _IO('$', 3)
#define IOC_SET_OUTPUT _IO('$', 5)
#define IOC_ID _IOR('$', 7, uint64_t *)
#define IOC_FLAG_GROUP 1ul

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

static int switch_running(void *self, int fd, enum pq_switch to)
{
	static const unsigned long requests[] = {
		[PQ_SWITCH_OFF] = IOC_DISABLE,
		[PQ_SWITCH_ON] = IOC_ENABLE,
		[PQ_SWITCH_RESET] = IOC_RESET,
	};

	(void)self;
	return ioctl(fd, requests[to], IOC_FLAG_GROUP) < 0 ? -errno : 0;
}

static int read_running(void *self, int fd, void *ret, size_t bytes)
{
	ssize_t n = pq_read(fd, ret, bytes);

	(void)self;
	if (n < 0)
		return -errno;
	return n == (ssize_t)bytes ? 0 : -ENODATA;
}

static int read_id_running(void *self, int fd, uint64_t *ret)
{
	(void)self;
	return ioctl(fd, IOC_ID, ret) < 0 ? -errno : 0;
}

static int map_running(void *self, int fd, size_t bytes, bool is_written, void **ret)
{
	void *mapped =
		mmap(NULL, bytes, PROT_READ | (is_written ? PROT_WRITE : 0), MAP_SHARED, fd, 0);

	(void)self;
	if (mapped == MAP_FAILED)
		return -errno;
	*ret = mapped;
	return 0;
}

static void unmap_running(void *self, void *mapped, size_t bytes)
{
	(void)self;
	munmap(mapped, bytes);
}

static int redirect_running(void *self, int fd, int to)
{
	(void)self;
	return ioctl(fd, IOC_SET_OUTPUT, to) < 0 ? -errno : 0;
}

static int poll_running(void *self, int fd, int epoll, uint64_t number)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = number };

	(void)self;
	return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

static void work_running(void *self, const struct pq_busy_work *work)
{
	(void)self;
	pq_busy_work_do(work);
}

struct pq_kernel pq_kernel_running(void)
{
	return (struct pq_kernel){
		.open_event = open_running,
		.close_event = close_running,
		.switch_event = switch_running,
		.read_event = read_running,
		.read_id = read_id_running,
		.map = map_running,
		.unmap = unmap_running,
		.redirect = redirect_running,
		.poll_with = poll_running,
		.work = work_running,
		.registers = pq_registers_here(),
	};
}

int pq_kernel_open(const struct pq_kernel *kernel, const struct pq_open_call *call,
		   uint32_t *ret_size)
{
	unsigned long flags = CLOEXEC_FLAG | (call->is_cgroup ? CGROUP_FLAG : 0);
	struct pmuq_attr attr;
	int r = -EINTR;

	for (unsigned i = 0; i < PQ_KERNEL_TRIES && (r == -EINTR || r == -EAGAIN); i++) {
		attr = call->attr;
		/* A member is enabled: it starts and stops with its leader. */
		attr.disabled = call->group_fd < 0;
		r = kernel->open_event(kernel->self, &attr, call->pid, call->cpu, call->group_fd,
				       flags);
	}
	if (r == -E2BIG && ret_size)
		*ret_size = attr.size;
	return r;
}

void pq_kernel_close(const struct pq_kernel *kernel, int fd)
{
	kernel->close_event(kernel->self, fd);
}

int pq_kernel_try(const struct pq_kernel *kernel, const struct pq_open_call *call,
		  uint32_t *ret_size)
{
	int fd = pq_kernel_open(kernel, call, ret_size);

	if (fd < 0)
		return fd;
	pq_kernel_close(kernel, fd);
	return 0;
}

const char *pq_why_not_mapped(int errnum, bool is_inherited)
{
	if (errnum == EINVAL && is_inherited)
		return "the kernel does not map an event of any CPU that child tasks inherit";
	if (errnum == EPERM)
		return "the mapping needs more memory than kernel.perf_event_mlock_kb and the "
		       "limit of locked memory allow";
	return "the kernel does not map this event";
}
