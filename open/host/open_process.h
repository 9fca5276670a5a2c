/* SPDX-License-Identifier: MIT */
/* This process: capabilities, seccomp filters, namespaces, descriptors. */
#pragma once

#include "open/host/open_host.h"

/* `is_live`: the root is this machine's, so that system calls can replace a missing /proc. */
void pq_process_view_read(int root_fd, bool is_live, struct pq_arena *arena,
			  struct pq_host_view *view);

/* The limits of descriptors alone. */
void pq_process_limits_read(struct pq_files_view *ret);
void pq_process_files_read(const struct pq_host *host, struct pq_files_view *ret);

/* /proc/PID/status of the calling thread: capabilities, users and filters belong to the thread. */
struct pmuq_str pq_process_status(int root_fd, struct pq_arena *arena);
/* The real, effective and saved user of a status file; false: it does not contain them. */
bool pq_process_users(struct pmuq_str status, uint32_t ret[3]);
