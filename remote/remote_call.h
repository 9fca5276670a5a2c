/* SPDX-License-Identifier: MIT */
/* Calls of varlink: one at a time, and what a reply contains. */
#pragma once

#include "remote/remote_socket.h"

/*
 * Calls a method without parameters, and waits for its first reply. If the connection was closed
 * without one, the daemon has ended because it was idle: the call connects once more, and the
 * service manager starts it.
 */
int pq_remote_call(struct pq_remote *remote, const char *method, bool more,
		   struct pmuq_error **reterr);
/* The value of a parameter of the last message, as JSON. It lives until the next message. */
int pq_remote_find(const struct pq_remote *remote, const char *parameter, struct pmuq_str *ret,
		   struct pmuq_error **reterr);
/* Calls a method, and finds a parameter of its reply. */
int pq_remote_get(struct pq_remote *remote, const char *method, const char *parameter,
		  struct pmuq_str *ret, struct pmuq_error **reterr);
/* Whether the daemon promises further replies to the same call: 0, or minus a code. */
int pq_remote_continues(const struct pq_remote *remote, struct pmuq_error **reterr);
