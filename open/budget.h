/* SPDX-License-Identifier: MIT */
/* How many descriptors all events need, and how many this process may have. */
#pragma once

#include "open/session.h"

/* 0 or -PMUQ_E_MEMORY. */
int pq_budget_find(const struct pq_opener *opener, const struct pq_open_request *requests, size_t n,
		   struct pmuq_budget *ret);
