/* SPDX-License-Identifier: MIT */
/*
 * Opens a group: on each target first the leader, then its members, so that the kernel decides
 * whether they fit together. diagnose.c finds out why the kernel refuses.
 */
#include "open/event_set.h"
#include "open/diagnose/diagnose.h"
#include <errno.h>

static bool is_out(const struct pq_open_set *set, size_t member)
{
	const struct pmuq_open_results *results = set->session->results;

	return results && results->v[set->indexes[member]].is_final;
}

/* The call of the set was refused. */
static int refuse(struct pq_open_set *set, size_t member, int errnum, uint32_t kernel_size)
{
	if (member > 0 && set->purpose != PQ_OPEN_TO_COUNT)
		return pq_diagnose(set->session, set->indexes[member], set->call, errnum,
				   kernel_size);
	set->errnum = errnum;
	set->kernel_size = kernel_size;
	return 0;
}

static void make_call(const struct pq_open_set *set, size_t member, struct pq_open_target target,
		      int leader_fd)
{
	const struct pq_open_request *request = &set->session->requests[set->indexes[member]];
	struct pq_open_call *call = set->call;

	pq_open_request_attr(request, &call->attr);
	call->pid = target.pid;
	call->cpu = target.cpu;
	call->group_fd = member ? leader_fd : -1;
	call->is_cgroup = target.is_cgroup;
	if (set->purpose == PQ_OPEN_TO_TEST)
		return;
	call->attr.read_format = set->read_format;
	call->attr.sigtrap = 0; /* no handler is installed for the signal */
	if (set->session->opener->scope.wakeup_samples && call->attr.sample_period) {
		call->attr.watermark = 0;
		call->attr.wakeup_events = set->session->opener->scope.wakeup_samples;
	}
}

/* A member that was refused on an earlier target is not tried again. */
static int open_row(struct pq_open_set *set, int *fds, struct pq_open_target target)
{
	const struct pq_kernel *kernel = &set->session->opener->kernel;
	int r = 0;

	for (size_t k = 0; k < set->n; k++)
		fds[k] = -1;
	for (size_t k = 0; k < set->n && r == 0 && !set->errnum; k++) {
		uint32_t kernel_size = 0;

		if (is_out(set, k))
			continue;
		make_call(set, k, target, fds[0]);
		fds[k] = pq_kernel_open(kernel, set->call, &kernel_size);
		if (fds[k] < 0)
			r = refuse(set, k, -fds[k], kernel_size);
	}
	return r;
}

static int *new_rows(struct pq_open_set *set, struct pq_arena *arena)
{
	size_t n = set->n;

	if (set->purpose != PQ_OPEN_TO_TEST)
		n *= pq_open_targets_count(&set->targets);
	else if (n == 1)
		return &set->single_fd;
	return pq_arena_array(arena, n, sizeof(*set->fds));
}

static int open_everywhere(struct pq_open_set *set, struct pq_arena *arena)
{
	struct pq_open_target target = { 0 };
	int r = 0;

	set->errnum = 0;
	set->fds = new_rows(set, arena);
	if (!set->fds)
		return -PMUQ_E_MEMORY;
	while (r == 0 && !set->errnum && pq_open_targets_next(&set->targets, &target)) {
		r = open_row(set, set->fds + set->n * set->n_open++, target);
		if (set->purpose == PQ_OPEN_TO_TEST)
			pq_open_set_close(set);
	}
	return r;
}

/* Some PMUs count per CPU only without a cpumask file in sysfs: the kernel then refuses a task with
 * EINVAL. If it refuses the CPU as well, the first refusal is reported. */
static int open_per_cpu(struct pq_open_set *set, struct pq_arena *arena, int cpu)
{
	const struct pq_open_call first = *set->call;
	int errnum = set->errnum;
	int r = pq_open_targets_set_cpu(set->session, cpu, &set->targets);

	pq_open_set_close(set);
	if (r == 0)
		r = open_everywhere(set, arena);
	if (r < 0 || !set->errnum)
		return r;
	pq_open_set_close(set);
	set->errnum = errnum;
	*set->call = first;
	return 0;
}

/* Not if the caller chose what to count. */
static bool may_be_per_cpu(const struct pq_open_set *set)
{
	const struct pq_open_scope *scope = &set->session->opener->scope;

	return set->errnum == EINVAL && set->call->cpu < 0 && set->call->group_fd < 0 &&
	       !scope->pid && !scope->cgroup && !scope->cpus;
}

/* A member that was refused on some target is closed on the others, and leaves the set. */
static void drop_refused(struct pq_open_set *set)
{
	const struct pq_kernel *kernel = &set->session->opener->kernel;
	size_t n = 0, n_fds = 0;

	for (size_t i = 0; i < set->n * set->n_open; i++)
		if (!is_out(set, i % set->n))
			set->fds[n_fds++] = set->fds[i];
		else if (set->fds[i] >= 0)
			pq_kernel_close(kernel, set->fds[i]);
	for (size_t k = 0; k < set->n; k++)
		if (!is_out(set, k))
			set->indexes[n++] = set->indexes[k];
	set->n = n;
}

int pq_open_set_open(struct pq_open_set *set, struct pq_arena *arena)
{
	const struct pq_open_request *request =
		pq_open_group_cpus_from(set->session, set->indexes, set->n);
	int r = pq_open_targets_find(set->session, request, &set->targets);

	set->read_format =
		set->n > 1 && set->purpose == PQ_OPEN_TO_STAY ? PQ_FORMAT_GROUP : PQ_FORMAT_TIMES;
	if (r == 0)
		r = open_everywhere(set, arena);
	if (r == 0 && may_be_per_cpu(set))
		r = open_per_cpu(set, arena, pq_open_first_cpu(request, STR("")));
	if (r == 0 && !set->errnum && set->purpose == PQ_OPEN_TO_STAY)
		drop_refused(set);
	return r;
}

void pq_open_set_close(struct pq_open_set *set)
{
	for (size_t i = set->n * set->n_open; i-- > 0;)
		if (set->fds[i] >= 0)
			pq_kernel_close(&set->session->opener->kernel, set->fds[i]);
	set->n_open = 0;
}
