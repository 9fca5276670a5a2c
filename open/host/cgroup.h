/* SPDX-License-Identifier: MIT */
/* Cgroups by name: a descriptor of the directory, below the mount of their file system. */
#pragma once

#include "core/error.h"

/*
 * Opens the directory of a cgroup: `name` below the mount for perf events (as in /proc/PID/cgroup),
 * else as a path. Only the kernel decides whether the directory is a cgroup.
 *
 * Returns a descriptor, or -PMUQ_E_NO_CGROUP, -PMUQ_E_MEMORY.
 */
int pq_cgroup_open(const char *root, const char *name, struct pmuq_error **reterr);
