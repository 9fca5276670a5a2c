/* SPDX-License-Identifier: MIT */
/* Checks what the caller wants to count, and opens its cgroup. targets.c derives the targets from
 * it. */
#include "open/scope.h"
#include "core/cpulist.h"
#include "open/host/open_host.h"

static int check_cpus(const char *list, struct pmuq_error **reterr)
{
	return list ? pq_cpus_check(str_of(list), reterr) : 0;
}

int pq_open_scope_init(const char *root, const struct pmuq_open_options *options,
		       struct pq_open_scope *ret, struct pmuq_error **reterr)
{
	struct pq_open_scope scope = {
		.pid = options->pid,
		.cpus = options->cpus,
		.cgroup = options->cgroup,
		.cgroup_fd = -1,
		.is_sampled = options->wants_samples,
		.wakeup_samples = options->wakeup_samples,
	};
	int r;

	if (options->pid < 0)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "%d is not a process", options->pid);
	if (options->pid && options->cgroup)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "a process and a cgroup cannot be counted at once");
	r = check_cpus(options->cpus, reterr);
	if (r == 0 && options->cgroup)
		scope.cgroup_fd = r = pq_cgroup_open(root, options->cgroup, reterr);
	if (r < 0)
		return r;
	*ret = scope;
	return 0;
}

void pq_open_scope_close(struct pq_open_scope *scope)
{
	if (scope->cgroup)
		close(scope->cgroup_fd);
}
