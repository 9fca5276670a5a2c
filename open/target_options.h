/* SPDX-License-Identifier: MIT */
/* The caller's options: checked, and a cgroup opened. */
#ifndef PQ_OPEN_TARGET_H
#define PQ_OPEN_TARGET_H

#include "core/error.h"
#include "open/place.h"
#include <pmuq/pmuq.h>

#define PQ_WORK_MS 100u

/* What they name, on the machine below `root`; to be closed. Texts are those of the options. */
int pq_target_open(const char *root, const struct pmuq_open_options *options, struct pq_target *ret,
		   struct pmuq_error **reterr);
void pq_target_close(struct pq_target *target);

#endif
