/* SPDX-License-Identifier: MIT */
/* Which CPU IDs the patterns of a mapfile.csv match. `arch` is the name of a directory of
 * tools/perf/pmu-events/arch ("x86", "arm64"), since the rules differ; "" has no rules of its own.
 */
#pragma once

#include "core/error.h"

/* Whether a pattern of that architecture matches the CPU, as in perf. 0, -PMUQ_E_BAD_REGEX,
 * -PMUQ_E_MEMORY. An ID of more than PQ_CPUID_MAX_BYTES matches nothing. */
int pq_vendor_matches(struct pmuq_str arch, struct pmuq_str pattern, struct pmuq_str cpuid,
		      bool *ret, struct pmuq_error **reterr);
/* Whether the pattern is valid: 0, -PMUQ_E_BAD_REGEX, -PMUQ_E_MEMORY. */
int pq_vendor_check_pattern(struct pmuq_str arch, struct pmuq_str pattern,
			    struct pmuq_error **reterr);
