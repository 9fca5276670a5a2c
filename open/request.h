/* SPDX-License-Identifier: MIT */
/* One event to open. */
#pragma once

#include "core/str.h"
#include <pmuq/attr.h>

/* Its pointers must live as long as the call that gets it. */
struct pq_open_request {
	const struct pmuq_attr *attr; /* NULL: there is nothing to open */
	const char *pmu;	      /* NULL: the machine has no PMU of that type */
	const char *cpus;	      /* of the PMU, as a list; "": any */
	const char
		*text;	/* a function or path, for config1 to point to; NULL: config1 is a number */
	size_t leader;	/* of the group, as an index of the requests */
	size_t members; /* of the group, with its leader; 0: in no group */
	bool needs_cpu; /* the PMU counts per CPU only */
};

/* The first CPU of the PMU's list, else of `fallback`, else 0. */
int pq_open_first_cpu(const struct pq_open_request *request, struct pmuq_str fallback);
/* Why no kernel can open it; static. NULL: it can be tried. */
const char *pq_open_skip_reason(const struct pq_open_request *request);
