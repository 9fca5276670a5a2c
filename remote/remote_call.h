/* SPDX-License-Identifier: MIT */
/* Calls of varlink from the side of the client: one connection, one call at a time. */
#pragma once

#include "core/buf.h"
#include "core/error.h"

struct pq_remote {
	char *path; /* of the socket */
	int fd;	    /* -1: not connected */
	struct pq_buf reply;
};

/* Connects. *remote has to be cleared even after a failure. */
int pq_remote_open(struct pq_remote *remote, const char *path, struct pmuq_error **reterr);
void pq_remote_clear(struct pq_remote *remote);

/*
 * Calls a method without parameters. If the connection was closed without a reply, the daemon has
 * ended because it was idle: the call connects once more, and the service manager starts it. *ret
 * is the value of a parameter of the reply, as JSON, and lives until the next call.
 */
int pq_remote_get(struct pq_remote *remote, const char *method, const char *parameter,
		  struct pmuq_str *ret, struct pmuq_error **reterr);
/* The same of the last reply. */
int pq_remote_find(const struct pq_remote *remote, const char *parameter, struct pmuq_str *ret,
		   struct pmuq_error **reterr);
