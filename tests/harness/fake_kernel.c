/* SPDX-License-Identifier: MIT */
#include "tests/harness/fake_kernel.h"
#include <errno.h>

/* 0 is a descriptor, too: a daemon may have closed its standard input. */
#define FIRST_FD 0
#define CGROUP_FLAG (1ul << 2)
#define CLOEXEC_FLAG (1ul << 3)

static const struct fake_rule *find_rule(struct fake_kernel *kernel,
					 const struct pq_open_call *call)
{
	for (size_t i = 0; i < kernel->n_rules; i++) {
		const struct fake_rule *rule = &kernel->rules[i];

		if (rule->fits && !rule->fits(call))
			continue;
		if (rule->times && kernel->used[i] >= rule->times)
			continue;
		kernel->used[i]++;
		return rule;
	}
	return NULL;
}

static void check(struct fake_kernel *kernel, const struct pq_open_call *call, unsigned long flags)
{
	int leader = call->group_fd - FIRST_FD;

	if (call->group_fd < 0 && !call->attr.disabled)
		kernel->misuse = "an event was not disabled";
	if (call->group_fd >= 0 && call->attr.disabled)
		kernel->misuse = "a member was not to start with its leader";
	if (!(flags & CLOEXEC_FLAG))
		kernel->misuse = "a descriptor was not to be closed on exec";
	if (call->group_fd != -1 &&
	    (leader < 0 || leader >= FAKE_FILES_MAX || !kernel->is_open[leader]))
		kernel->misuse = "the leader was not open";
	if (call->attr.size % sizeof(uint64_t))
		kernel->misuse = "an attr ended within a field";
	if (call->pid == -1 && call->cpu < 0)
		kernel->misuse = "neither a task nor a CPU was named";
	if (call->is_cgroup && call->cpu < 0)
		kernel->misuse = "a cgroup was to be counted on no CPU";
}

/* The leader of the group that a descriptor is in, as an index. */
static int leader_of(const struct fake_kernel *kernel, int i)
{
	int group_fd = kernel->opened_as[i].group_fd;

	return group_fd < 0 ? i : group_fd - FIRST_FD;
}

static unsigned group_size(const struct fake_kernel *kernel, int leader)
{
	unsigned n = 0;

	for (int i = 0; i < FAKE_FILES_MAX; i++)
		n += kernel->is_open[i] && leader_of(kernel, i) == leader;
	return n;
}

static bool is_group_full(const struct fake_kernel *kernel, const struct pq_open_call *call)
{
	return kernel->group_open_max && call->group_fd >= 0 &&
	       group_size(kernel, call->group_fd - FIRST_FD) >= kernel->group_open_max;
}

static int new_descriptor(struct fake_kernel *kernel)
{
	if (kernel->files_max && kernel->n_open >= kernel->files_max)
		return -EMFILE;
	for (int i = 0; i < FAKE_FILES_MAX; i++) {
		if (kernel->is_open[i])
			continue;
		kernel->is_open[i] = true;
		kernel->is_on[i] = kernel->is_reset[i] = kernel->has_ring[i] = false;
		kernel->opened_as[i] = kernel->last;
		kernel->n_opened++;
		kernel->n_open++;
		if (kernel->n_open > kernel->n_open_max)
			kernel->n_open_max = kernel->n_open;
		return FIRST_FD + i;
	}
	return -EMFILE;
}

static int open_fake(void *self, struct pmuq_attr *attr, int pid, int cpu, int group_fd,
		     unsigned long flags)
{
	struct fake_kernel *kernel = self;
	const struct fake_rule *rule;

	kernel->n_calls++;
	kernel->last = (struct pq_open_call){
		.attr = *attr,
		.pid = pid,
		.cpu = cpu,
		.group_fd = group_fd,
		.is_cgroup = flags & CGROUP_FLAG,
	};
	check(kernel, &kernel->last, flags);
	rule = find_rule(kernel, &kernel->last);
	if (rule && rule->errnum) {
		attr->size = rule->errnum == E2BIG ? rule->size : attr->size;
		return -rule->errnum;
	}
	if (is_group_full(kernel, &kernel->last))
		return -ENOSPC;
	if (pid == -1 && cpu >= 0 && cpu < 64)
		kernel->cpus_opened |= UINT64_C(1) << cpu;
	return new_descriptor(kernel);
}

static void close_fake(void *self, int fd)
{
	struct fake_kernel *kernel = self;
	int i = fd - FIRST_FD;

	if (i < 0 || i >= FAKE_FILES_MAX || !kernel->is_open[i]) {
		kernel->misuse = "a descriptor was closed that was not open";
		return;
	}
	kernel->is_open[i] = false;
	kernel->n_open--;
}

static bool is_open_fd(struct fake_kernel *kernel, int fd)
{
	int i = fd - FIRST_FD;

	if (i >= 0 && i < FAKE_FILES_MAX && kernel->is_open[i])
		return true;
	kernel->misuse = "something was done with a descriptor that was not open";
	return false;
}

static int switch_fake(void *self, int fd, enum pq_switch to)
{
	struct fake_kernel *kernel = self;

	if (!is_open_fd(kernel, fd))
		return -EBADF;
	if (leader_of(kernel, fd - FIRST_FD) != fd - FIRST_FD)
		kernel->misuse = "a member was switched without its group";
	if (kernel->switch_errnum)
		return -kernel->switch_errnum;
	kernel->n_switched_on += to == PQ_SWITCH_ON;
	kernel->n_reset += to == PQ_SWITCH_RESET;
	for (int i = 0; i < FAKE_FILES_MAX && to != PQ_SWITCH_RESET; i++)
		if (kernel->is_open[i] && leader_of(kernel, i) == fd - FIRST_FD)
			kernel->is_on[i] = to == PQ_SWITCH_ON;
	if (to == PQ_SWITCH_RESET) {
		kernel->is_reset[fd - FIRST_FD] = true;
		kernel->reset_at[fd - FIRST_FD] = kernel->times.value;
	}
	return 0;
}

/* Members read the leader's count and their number in the group above it, until it is reset. */
static uint64_t value_of(const struct fake_kernel *kernel, int leader, unsigned k)
{
	if (kernel->is_reset[leader])
		return kernel->times.value - kernel->reset_at[leader] + kernel->ended;
	return kernel->times.value + k + kernel->ended;
}

static int read_result(const struct fake_kernel *kernel, int i)
{
	int cpu = kernel->opened_as[i].cpu;

	if (cpu >= 0 && cpu < 64 && kernel->bad_cpus >> cpu & 1)
		return -EIO;
	return -kernel->read_errnum;
}

static int read_alone(struct fake_kernel *kernel, int i, struct pq_times *ret)
{
	unsigned n = group_size(kernel, leader_of(kernel, i));

	*ret = kernel->times;
	ret->value = value_of(kernel, i, 0);
	if (kernel->group_count_max && n > kernel->group_count_max)
		*ret = (struct pq_times){ .enabled_ns = kernel->times.enabled_ns };
	return 0;
}

static int read_group(struct fake_kernel *kernel, int i, struct pq_group_times *ret, size_t bytes)
{
	unsigned n = group_size(kernel, i);

	if (bytes != sizeof(*ret) + n * sizeof(ret->v[0]))
		return -ENOSPC;
	*ret = (struct pq_group_times){ n, kernel->times.enabled_ns, kernel->times.running_ns };
	for (unsigned k = 0; k < n; k++)
		ret->v[k].value = value_of(kernel, i, k);
	kernel->n_group_reads++;
	return 0;
}

static int read_fake(void *self, int fd, void *ret, size_t bytes)
{
	struct fake_kernel *kernel = self;
	uint64_t format;

	if (!is_open_fd(kernel, fd))
		return -EBADF;
	if (read_result(kernel, fd - FIRST_FD) < 0)
		return read_result(kernel, fd - FIRST_FD);
	format = kernel->opened_as[fd - FIRST_FD].attr.read_format;
	if (format == PQ_FORMAT_GROUP)
		return read_group(kernel, fd - FIRST_FD, ret, bytes);
	if (format != PQ_FORMAT_TIMES || bytes != sizeof(struct pq_times))
		kernel->misuse = "times were read without a read_format for them";
	return read_alone(kernel, fd - FIRST_FD, ret);
}

static int read_id_fake(void *self, int fd, uint64_t *ret)
{
	struct fake_kernel *kernel = self;

	if (!is_open_fd(kernel, fd))
		return -EBADF;
	*ret = (uint64_t)fd + 1;
	return 0;
}

static int map_fake(void *self, int fd, size_t bytes, bool is_written, void **ret)
{
	struct fake_kernel *kernel = self;

	if (!is_open_fd(kernel, fd))
		return -EBADF;
	if (!is_written && !kernel->is_on[fd - FIRST_FD])
		kernel->misuse = "the page of an event was read that was off";
	if (kernel->map_errnum)
		return -kernel->map_errnum;
	/* mmap(2) returns such a pointer of memory that may only be read, too. */
	*ret = is_written ? calloc(1, bytes) : pq_boundary_cast(kernel->page);
	if (is_written && !*ret)
		return -ENOMEM;
	if (is_written && kernel->n_rings < COUNT(kernel->rings))
		kernel->rings[kernel->n_rings++] = *ret;
	kernel->has_ring[fd - FIRST_FD] = is_written;
	kernel->n_mapped++;
	return 0;
}

static void unmap_fake(void *self, void *mapped, size_t bytes)
{
	struct fake_kernel *kernel = self;

	kernel->n_unmapped++;
	if (bytes > pq_page_bytes())
		free(mapped);
	else if (mapped != pq_boundary_cast(kernel->page))
		kernel->misuse = "something was unmapped that is not a page";
}

static int redirect_fake(void *self, int fd, int to)
{
	struct fake_kernel *kernel = self;

	if (!is_open_fd(kernel, fd) || !is_open_fd(kernel, to))
		return -EBADF;
	if (!kernel->has_ring[to - FIRST_FD] || kernel->has_ring[fd - FIRST_FD])
		kernel->misuse = "samples were redirected to an event without a ring";
	kernel->n_redirected += !kernel->redirect_errnum;
	return -kernel->redirect_errnum;
}

/* Nothing ever happens to its descriptors. */
static int poll_fake(void *self, int fd, int epoll, uint64_t number)
{
	(void)epoll;
	(void)number;
	return is_open_fd(self, fd) ? 0 : -EBADF;
}

static void work_fake(void *self, const struct pq_busy_work *work)
{
	struct fake_kernel *kernel = self;

	kernel->n_works += !work->is_waiting;
	kernel->n_waits += work->is_waiting;
	kernel->n_worked_cpus = work->cpus ? (unsigned)pq_cpus_count(work->cpus) : 0;
	kernel->visited_each = work->visits_each;
}

struct pq_kernel fake_kernel_interface(struct fake_kernel *kernel)
{
	return (struct pq_kernel){
		.open_event = open_fake,
		.close_event = close_fake,
		.switch_event = switch_fake,
		.read_event = read_fake,
		.read_id = read_id_fake,
		.map = map_fake,
		.unmap = unmap_fake,
		.redirect = redirect_fake,
		.poll_with = poll_fake,
		.work = work_fake,
		.registers = kernel->registers,
		.self = kernel,
	};
}

static void read_view(const struct pq_host *self, struct pq_arena *arena, struct pq_host_view *ret)
{
	struct fake_host *host = self->self;

	(void)arena;
	host->n_views++;
	*ret = host->view;
	if (!ret->cpus_online.p)
		ret->cpus_online = STR("");
}

static void read_pmu(const struct pq_host *self, const char *name, struct pq_pmu_view *ret)
{
	const struct fake_host *host = self->self;

	(void)name;
	*ret = host->pmu;
}

static void read_task(const struct pq_host *self, int pid, struct pq_task_view *ret)
{
	struct fake_host *host = self->self;

	if (pid <= 0)
		host->misuse = "a task was read that has no number";
	*ret = host->task;
}

static void read_files(const struct pq_host *self, struct pq_files_view *ret)
{
	const struct fake_host *host = self->self;

	*ret = host->files;
}

struct pq_host fake_host_interface(struct fake_host *host)
{
	return (struct pq_host){
		.read_view = read_view,
		.read_pmu = read_pmu,
		.read_task = read_task,
		.read_files = read_files,
		.self = host,
	};
}
