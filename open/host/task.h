/* SPDX-License-Identifier: MIT */
/* Another task, from /proc. */
#pragma once

#include "open/host/open_host.h"

void pq_task_view_read(const struct pq_host *host, int pid, struct pq_task_view *ret);
