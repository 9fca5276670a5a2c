/* SPDX-License-Identifier: MIT */
/* Why the kernel refused a call that the program made itself. */
#pragma once

#include "open/session.h"

/*
 * One result, for a request that was refused in that call. Events are opened to find a change that
 * opens, and closed at once; the descriptors of the call must still be open.
 *
 * Returns 0, -PMUQ_E_BAD_CALL or -PMUQ_E_MEMORY.
 */
int pq_explain_errno(const struct pq_opener *opener, const struct pq_open_request *request,
		     const struct pmuq_open_call *call, struct pmuq_open_results **ret,
		     struct pmuq_error **reterr);
