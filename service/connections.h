/* SPDX-License-Identifier: MIT */
/*
 * All connections, and the limits of what they may have together: their number, replies that are
 * not sent yet, and large requests that are not complete.
 */
#pragma once

#include "core/vec.h"
#include "service/connection.h"

struct connections {
	PQ_VEC(struct connection *);
	PQ_VEC(struct connection *) gone; /* freed by connections_free_gone() */
	int epoll;
	size_t n_queued; /* bytes of replies that are not sent */
	size_t n_subscribers;
};

/* Takes the descriptor over. */
void connections_add(struct connections *connections, int fd);
/* Events may still refer to it: it is freed later. */
void connections_remove(struct connections *connections, struct connection *connection);
void connections_free_gone(struct connections *connections);

/* Counts what was added to its replies since it had `before` bytes of them, and sends what the
 * socket takes. False: the connection is gone. */
bool connections_flush(struct connections *connections, struct connection *connection,
		       size_t before);
/* Ends the connection with an error of io.pmuq. False: it is gone. */
bool connections_end(struct connections *connections, struct connection *connection,
		     const char *error, const char *message);
/* Whether its next request may be processed. */
bool connections_may_serve(const struct connections *connections,
			   const struct connection *connection);

/* Chooses the events to wait for; needed after each turn, because connections wait for each other.
 */
void connections_choose_events(struct connections *connections);
/* Ends those that do not go on. */
void connections_end_stuck(struct connections *connections, int64_t now_ms);
/* When connections_end_stuck() is next needed; -1: never. */
int64_t connections_deadline(const struct connections *connections);
/* Whether a request, or a part of it, is there; or a reply is not sent. */
bool connections_are_in_use(const struct connections *connections);
