/* SPDX-License-Identifier: MIT */
/* Opening requests, to test them or to leave them open. */
#pragma once

#include "open/session.h"

/*
 * Open each request, a group as a group, and close it at once.
 *
 * Returns 0, also if the kernel refuses, or -PMUQ_E_MEMORY.
 */
int pq_open_requests(const struct pq_opener *opener, const struct pq_open_request *requests,
		     size_t n, struct pmuq_open_results **ret, struct pmuq_error **reterr);

/*
 * Open all requests that the kernel accepts, disabled, and leave them open.
 *
 * Returns 0, also if the kernel refuses, or -PMUQ_E_MEMORY.
 */
int pq_open_to_stay(const struct pq_opener *opener, const struct pq_open_request *requests,
		    size_t n, struct pmuq_opened **ret, struct pmuq_error **reterr);

/* budget.c: how many descriptors all events need, and how many this process may have. 0 or
 * -PMUQ_E_MEMORY. */
int pq_budget_find(const struct pq_opener *opener, const struct pq_open_request *requests, size_t n,
		   struct pmuq_budget *ret);
