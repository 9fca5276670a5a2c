/* SPDX-License-Identifier: MIT */
/*
 * The libpfm4 PMUs of a CPU, by its identity; libpfm4 itself knows only those of the CPU that it
 * runs on. The result is a list of words that are tried in order until one has the event: the name
 * of a PMU, several joined by "+" that are all tried, or the prefix of several with "*". The core
 * PMU is the first word, so that its events win.
 */
#pragma once

#include "core/str.h"

/* "GenuineIntel-6-55-4" → "skx skx_unc_* rapl"; "" if the CPU is not known. Static. */
struct pmuq_str pq_pfm_cpu_defaults(struct pmuq_str cpuid);
