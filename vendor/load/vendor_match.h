/* SPDX-License-Identifier: MIT */
/* Which CPU IDs the patterns of a mapfile.csv match. */
#pragma once

#include "core/error.h"

/* Whether a pattern of that architecture matches the CPU, as in perf. */
int pq_vendor_matches(struct pmuq_str arch, struct pmuq_str pattern, struct pmuq_str cpuid,
		      bool *ret, struct pmuq_error **reterr);
/* Whether the pattern is valid: 0, -PMUQ_E_BAD_REGEX, -PMUQ_E_MEMORY. */
int pq_vendor_check_pattern(struct pmuq_str arch, struct pmuq_str pattern,
			    struct pmuq_error **reterr);
