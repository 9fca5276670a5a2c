/* SPDX-License-Identifier: MIT */
/*
 * In the helper: what libpfm4 is told when it looks at the machine. It must not see the one that it
 * runs on, since it encodes for any: without a PMU's `type` in sysfs it refuses all uncore events,
 * and with tracefs at hand it would read every tracepoint first. So the functions of libc by which
 * it looks stand here in its stead: every PMU is there, tracefs is not. The name of the PMU whose
 * type it wants is what the kernel calls it, which the library tells nobody otherwise.
 */
#ifndef PQ_PFM_HOST_H
#define PQ_PFM_HOST_H

#include "core/str.h"

void pq_host_forget(void);
/* The last PMU that it asked for the type of since; empty when there was none. */
struct pmuq_str pq_host_asked(void);

#endif
