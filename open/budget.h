/* SPDX-License-Identifier: MIT */
/* How many descriptors all events take, and how many there may be. */
#ifndef PQ_OPEN_BUDGET_H
#define PQ_OPEN_BUDGET_H

#include "open/open.h"

/* 0 or -PMUQ_E_MEMORY. */
int pq_budget_find(const struct pq_opener *opener, const struct pq_request *requests, size_t n,
		   struct pmuq_budget *ret);

#endif
