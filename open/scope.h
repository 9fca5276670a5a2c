/* SPDX-License-Identifier: MIT */
/* What the caller wants to count: this task, another one, CPUs, a cgroup. */
#pragma once

#include "core/error.h"
#include <pmuq/pmuq.h>

/* Zeroed: this task, or for a PMU that counts per CPU only all tasks on its CPUs. */
struct pq_open_scope {
	int pid;	    /* 0: no other task */
	int cgroup_fd;	    /* of its directory; only with a name */
	const char *cgroup; /* its name; NULL: none */
	const char *cpus;   /* a list; NULL: those of the PMU */
	/* An event is to be mapped: one that children inherit is opened for the task on each CPU.
	 */
	bool is_sampled;
	uint32_t wakeup_samples; /* of events that sample; 0: as in the attr */
};

/*
 * Checks the options and opens the cgroup, on the machine below `root`. The texts are those of the
 * options, and must live as long as the scope. After 0 it must be closed; after a failure *ret is
 * unchanged.
 *
 * Returns 0, -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL or -PMUQ_E_MEMORY.
 */
int pq_open_scope_init(const char *root, const struct pmuq_open_options *options,
		       struct pq_open_scope *ret, struct pmuq_error **reterr);
void pq_open_scope_close(struct pq_open_scope *scope);
