/* SPDX-License-Identifier: MIT */
/*
 * The kernel cannot schedule every group that a user writes: a group cannot span PMUs, and topdown
 * metrics need a leader that counts slots. perf sorts and splits groups accordingly, and so does
 * pmuq.
 */
#pragma once

#include "encode/encoder.h"

/* For the whole result, after everything is encoded. A warning about a split has the span of
 * `group`, which may be NULL. */
int pq_regroup(const struct pq_encoder *e, const struct pq_item *group);

/* leave_groups.c: for the preset stat. */
int pq_leave_groups(const struct pq_encoder *e);

/* Whether the PMU (or NULL) writes traces, which can contain events of other PMUs. */
bool pq_writes_trace(const struct pmuq_pmu *pmu);
bool pq_topdown_is_slots(const struct pq_encoding *encoding);
bool pq_topdown_is_metric(const struct pq_encoding *encoding);
/* Adds the slots event that metrics need. *ret_is_used: there are slots events or metrics. */
int pq_topdown_complete(const struct pq_encoder *e, bool *ret_is_used);
