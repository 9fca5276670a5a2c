/* SPDX-License-Identifier: MIT */
/* The part of the host view that is about this process: capabilities, filters, namespaces. */
#ifndef PQ_OPEN_PROCESS_VIEW_H
#define PQ_OPEN_PROCESS_VIEW_H

#include "open/diagnose/host_view.h"

/* `is_live`: the root is this machine's, so that the kernel may be asked where /proc is silent. */
void pq_process_view_read(int root_fd, bool is_live, struct pq_arena *arena,
			  struct pq_host_view *view);

#endif
