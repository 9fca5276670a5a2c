/* SPDX-License-Identifier: MIT */
/*
 * Which of libpfm4's PMUs a CPU has, by its identity; the library tells it of the CPU that it runs
 * on alone. Words that are looked through in order, the first that has the event counts: the name
 * of a PMU, several with "+" between them of which each counts, or the beginning of some with "*".
 */
#ifndef PQ_PFM_CPUS_H
#define PQ_PFM_CPUS_H

#include "core/buf.h"

/* Nothing is added where the CPU is not known. "GenuineIntel-6-55-4" → "skx skx_unc_* rapl". */
void pq_pfm_cpu_defaults(struct pmuq_str cpuid, struct pq_buf *ret);

#endif
