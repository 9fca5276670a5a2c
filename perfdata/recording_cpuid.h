/* SPDX-License-Identifier: MIT */
/* Converts a CPU's identity from the form of perf.data to that of a catalog. */
#ifndef PQ_PERFDATA_CPUID_H
#define PQ_PERFDATA_CPUID_H

#include "core/buf.h"

/* "GenuineIntel,6,85,4" of an x86_64 → "GenuineIntel-6-55-4". Any other text is copied. */
void pq_cpuid_of_recording(struct pmuq_str arch, struct pmuq_str text, struct pq_buf *ret);

#endif
