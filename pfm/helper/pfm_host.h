/* SPDX-License-Identifier: MIT */
/*
 * In the helper: the machine that libpfm4 sees. It encodes for any machine, so it must not see the
 * one that it runs on: without a PMU's `type` in sysfs it rejects all uncore events, and with
 * tracefs it would first read every tracepoint. This file therefore replaces the libc functions by
 * which libpfm4 reads the machine: every PMU exists, tracefs does not. The PMU whose `type` it
 * opens has the kernel's name, which libpfm4 does not return in any other way.
 *
 * The functions are replaced for the whole program: the helper itself must not call fopen(3),
 * access(2) or opendir(3).
 */
#pragma once

#include "core/str.h"

void pq_host_forget(void);
/* The PMU whose type libpfm4 opened last since then; empty if there was none. Static: valid until
 * libpfm4 opens the next one. */
struct pmuq_str pq_host_last_pmu(void);
