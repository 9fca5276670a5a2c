/* SPDX-License-Identifier: MIT */
/* A group that does not fit on the counters. */
#pragma once

#include "open/count/count_set.h"

/*
 * Counts the group in parts that do fit, and finds the first member that did not fit: 0 or
 * -PMUQ_E_MEMORY, without an error object.
 */
int pq_count_split(struct pq_count_session *session, const struct pq_open_group *group);
