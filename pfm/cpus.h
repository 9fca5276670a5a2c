/* SPDX-License-Identifier: MIT */
/*
 * The libpfm4 PMUs of a CPU, by its identity; libpfm4 itself knows that only for the CPU that it
 * runs on. They are words that are tried in order until one has the event: the name of a PMU,
 * several joined by "+" that are all tried, or the prefix of some with "*".
 */
#pragma once

#include "core/buf.h"

/* Adds nothing if the CPU is not known. "GenuineIntel-6-55-4" → "skx skx_unc_* rapl". */
void pq_pfm_cpu_defaults(struct pmuq_str cpuid, struct pq_buf *ret);
