/* SPDX-License-Identifier: MIT */
/* A CPU's identity as a recording spells it, in the form that a catalog has it. */
#ifndef PQ_PERFDATA_CPUID_H
#define PQ_PERFDATA_CPUID_H

#include "core/buf.h"

/* "GenuineIntel,6,85,4" of an x86_64 → "GenuineIntel-6-55-4". What is not understood stays. */
void pq_cpuid_of_recording(struct pmuq_str arch, struct pmuq_str text, struct pq_buf *ret);

#endif
