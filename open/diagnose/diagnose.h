/* SPDX-License-Identifier: MIT */
/* The interface of diagnose/: from a refusal to an open result. */
#pragma once

#include "open/session.h"

/*
 * Finds out why the kernel refused the call, and sets the result of the request. `kernel_size`: see
 * pq_kernel_open(). If the call has a leader, it must still be open.
 *
 * Returns 0 or -PMUQ_E_MEMORY, without an error object.
 */
int pq_diagnose(struct pq_open_session *session, size_t index, const struct pq_open_call *call,
		int errnum, uint32_t kernel_size);
