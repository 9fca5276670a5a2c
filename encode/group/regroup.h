/* SPDX-License-Identifier: MIT */
/*
 * What the kernel can schedule is not always what was written: a group cannot span PMUs, and
 * topdown metrics need a leader that counts slots. perf sorts and splits groups accordingly, and so
 * does pmuq.
 */
#ifndef PQ_REGROUP_H
#define PQ_REGROUP_H

#include "encode/encoder.h"

/* Over the whole result, once all of it is encoded. `item` is a group to blame for a split, or
 * NULL. */
int pq_regroup(const struct pq_encoder *e, const struct pq_item *group);

bool pq_topdown_is_slots(const struct pq_encoding *encoding);
bool pq_topdown_is_metric(const struct pq_encoding *encoding);
/* Puts in the slots event that metrics want; says whether there are such events at all. */
int pq_topdown_complete(const struct pq_encoder *e, bool *ret_is_used);

#endif
