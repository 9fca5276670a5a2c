/* SPDX-License-Identifier: MIT */
/*
 * Messages of varlink, a JSON object and a NUL, from the side of the client. What a daemon sends is
 * untrusted input: its length is limited, and so is the time for which a caller waits.
 */
#pragma once

#include "core/buf.h"
#include "core/error.h"

struct pq_remote {
	char *path; /* of the socket */
	int fd;	    /* -1: not connected */
	/* So far. On each of them it may be another daemon, which counts its generations from 1. */
	unsigned n_connections;
	size_t message_max_bytes;
	struct pmuq_str message; /* the last one, without its NUL; until the next is received */
	struct pq_buf received;	 /* that one and what follows it */
	size_t next, n_scanned;	 /* of `received`: where the next one begins; without a NUL up to */
};

/* Connects. *remote has to be cleared even after a failure. */
int pq_remote_open(struct pq_remote *remote, const char *path, size_t message_max_bytes,
		   struct pmuq_error **reterr);
void pq_remote_clear(struct pq_remote *remote);

/* Ends the connection if there is one, and makes a new one. Unless it waits, a daemon with too many
 * clients is a failure. */
int pq_remote_connect(struct pq_remote *remote, bool waits, struct pmuq_error **reterr);
void pq_remote_end(struct pq_remote *remote);

/* Calls a method without parameters. `more`: several replies may come. False: the connection is
 * broken. */
bool pq_remote_send(const struct pq_remote *remote, const char *method, bool more);

enum pq_received {
	PQ_RECEIVED_MESSAGE,
	PQ_RECEIVED_NOTHING, /* it has not come yet; never if the caller waits */
	PQ_RECEIVED_END,     /* the connection ended between two messages */
};

/* The next message, or minus a code. Waits for at most 30 seconds, or not at all. */
int pq_remote_receive(struct pq_remote *remote, bool waits, struct pmuq_error **reterr);
/* Frees the memory of the last message. */
void pq_remote_drop(struct pq_remote *remote);

int pq_remote_fail(const struct pq_remote *remote, const char *what, struct pmuq_error **reterr);
