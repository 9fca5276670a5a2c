/* SPDX-License-Identifier: MIT */
/* Cgroups by name: where their file system is mounted, and a descriptor of one's directory. */
#ifndef PQ_OPEN_CGROUP_H
#define PQ_OPEN_CGROUP_H

#include "core/error.h"

/*
 * The directory of a cgroup: `name` below the mount that perf events count in (as
 * /proc/PID/cgroup has it), else as a path. Whether it is a cgroup at all, the kernel is to say.
 *
 * Returns a descriptor, or -PMUQ_E_NO_CGROUP, -PMUQ_E_MEMORY.
 */
int pq_cgroup_open(const char *root, const char *name, struct pmuq_error **reterr);

#endif
