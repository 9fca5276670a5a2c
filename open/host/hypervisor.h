/* SPDX-License-Identifier: MIT */
/* Whether the machine is virtual, on which hypervisor, and how that gives its guests a PMU. */
#pragma once

#include "open/host/open_host.h"

/* Sets is_vm, hypervisor and vpmu_remedy from files below the root. */
void pq_hypervisor_find(int root_fd, struct pq_arena *arena, struct pq_host_view *view);
