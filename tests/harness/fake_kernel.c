/* SPDX-License-Identifier: MIT */
#include "tests/harness/fake_kernel.h"
#include <errno.h>

#define FIRST_FD 1000
#define CLOEXEC_FLAG (1ul << 3)

static const struct fake_rule *find_rule(struct fake_kernel *kernel, const struct pq_trial *asked)
{
	for (size_t i = 0; i < kernel->n_rules; i++) {
		const struct fake_rule *rule = &kernel->rules[i];

		if (rule->fits && !rule->fits(asked))
			continue;
		if (rule->times && kernel->used[i] >= rule->times)
			continue;
		kernel->used[i]++;
		return rule;
	}
	return NULL;
}

static void check(struct fake_kernel *kernel, const struct pq_trial *asked, unsigned long flags)
{
	int leader = asked->group_fd - FIRST_FD;

	if (!asked->attr.disabled)
		kernel->fault = "an event was not disabled";
	if (!(flags & CLOEXEC_FLAG))
		kernel->fault = "a descriptor was not to be closed on exec";
	if (asked->group_fd != -1 &&
	    (leader < 0 || leader >= FAKE_FILES_MAX || !kernel->is_open[leader]))
		kernel->fault = "the leader was not open";
	if (asked->pid == -1 && asked->cpu < 0)
		kernel->fault = "neither a task nor a CPU was named";
}

static int give_descriptor(struct fake_kernel *kernel)
{
	for (int i = 0; i < FAKE_FILES_MAX; i++) {
		if (kernel->is_open[i])
			continue;
		kernel->is_open[i] = true;
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
	kernel->last =
		(struct pq_trial){ .attr = *attr, .pid = pid, .cpu = cpu, .group_fd = group_fd };
	check(kernel, &kernel->last, flags);
	rule = find_rule(kernel, &kernel->last);
	if (rule && rule->errnum) {
		attr->size = rule->errnum == E2BIG ? rule->size : attr->size;
		return -rule->errnum;
	}
	if (pid == -1 && cpu >= 0 && cpu < 64)
		kernel->cpus_opened |= UINT64_C(1) << cpu;
	return give_descriptor(kernel);
}

static void close_fake(void *self, int fd)
{
	struct fake_kernel *kernel = self;
	int i = fd - FIRST_FD;

	if (i < 0 || i >= FAKE_FILES_MAX || !kernel->is_open[i]) {
		kernel->fault = "a descriptor was closed that was not open";
		return;
	}
	kernel->is_open[i] = false;
	kernel->n_open--;
}

struct pq_kernel fake_kernel_door(struct fake_kernel *kernel)
{
	return (struct pq_kernel){ .open_event = open_fake,
				   .close_event = close_fake,
				   .self = kernel };
}

static void read_view(const void *self, struct pq_arena *arena, struct pq_host_view *ret)
{
	struct fake_host *host = (struct fake_host *)(uintptr_t)self;

	(void)arena;
	host->n_views++;
	*ret = host->view;
	if (!ret->cpus_online.p)
		ret->cpus_online = STR("");
}

static void read_pmu(const void *self, const char *name, struct pq_pmu_view *ret)
{
	const struct fake_host *host = self;

	(void)name;
	*ret = host->pmu;
}

struct pq_host fake_host_door(struct fake_host *host)
{
	return (struct pq_host){ .read_view = read_view, .read_pmu = read_pmu, .self = host };
}
