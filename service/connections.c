/* SPDX-License-Identifier: MIT */
/*
 * Memory is bounded whatever clients do: input is read only while the replies of the connection are
 * sent, requests wait while too many replies of all are not, and few large requests are received at
 * once.
 */
#include "service/connections.h"
#include "cli/clock.h"
#include "cli/or_die.h"
#include "core/limits.h"
#include "service/interface.h"
#include "service/log.h"
#include "service/varlink.h"
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/* ----------------------------------------------------------------------------- adding, removing */

static size_t count_of_user(const struct connections *connections, uid_t user)
{
	size_t n = 0;

	for (size_t i = 0; i < connections->n; i++)
		n += connections->v[i]->user == user;
	return n;
}

void connections_add(struct connections *connections, int fd)
{
	struct connection *connection = or_die(connection_new(fd));
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP, .data.ptr = connection };

	if (epoll_ctl(connections->epoll, EPOLL_CTL_ADD, fd, &event) < 0) {
		connection_close(connection);
		connection_free(connection);
		return;
	}
	connection->events = event.events;
	push_or_die(connections, connection);
	log_line(LOG_LEVEL_DEBUG, "process %d of user %u connects", connection->process,
		 connection->user);
	if (connections->n > PQ_SERVICE_CLIENTS_MAX ||
	    count_of_user(connections, connection->user) > PQ_SERVICE_USER_CLIENTS_MAX)
		connections_end(connections, connection, "TooManyClients",
				"there are too many connections; use one for several calls");
}

void connections_remove(struct connections *connections, struct connection *connection)
{
	for (size_t i = 0; i < connections->n; i++)
		if (connections->v[i] == connection)
			connections->v[i] = connections->v[--connections->n];
	connections->n_queued -= connection_n_queued(connection);
	connections->n_subscribers -= connection->is_subscriber;
	log_line(LOG_LEVEL_DEBUG, "process %d of user %u is gone", connection->process,
		 connection->user);
	connection_close(connection);
	push_or_die(&connections->gone, connection);
}

void connections_free_gone(struct connections *connections)
{
	for (size_t i = 0; i < connections->gone.n; i++)
		connection_free(connections->gone.v[i]);
	connections->gone.n = 0;
}

/* ----------------------------------------------------------------------------------- replies */

bool connections_flush(struct connections *connections, struct connection *connection,
		       size_t before)
{
	bool is_whole;

	done_or_die(!connection->out.failed);
	connections->n_queued -= before;
	is_whole = connection_send(connection, clock_running_ms());
	connections->n_queued += connection_n_queued(connection);
	if (is_whole && !(connection->is_ending && !connection_n_queued(connection)))
		return true;
	connections_remove(connections, connection);
	return false;
}

/* Replies that were begun are sent first. */
bool connections_end(struct connections *connections, struct connection *connection,
		     const char *error, const char *message)
{
	size_t before = connection_n_queued(connection);
	char name[64];

	snprintf(name, sizeof(name), INTERFACE_NAME ".%s", error);
	connection_forget_replies(connection);
	varlink_error_about(&connection->out, name, "message", str_of(message));
	connections->n_subscribers -= connection->is_subscriber;
	connection->is_subscriber = false;
	connection->is_ending = true;
	log_line(LOG_LEVEL_WARNING, "the connection of process %d of user %u ends: %s",
		 connection->process, connection->user, message);
	return connections_flush(connections, connection, before);
}

/* -------------------------------------------------------------------------------------- turns */

bool connections_may_serve(const struct connections *connections,
			   const struct connection *connection)
{
	return !connection->is_ending && !connection_n_queued(connection) &&
	       connections->n_queued <= PQ_SERVICE_QUEUE_MAX_BYTES;
}

/* Whether it may go on with a large request: half of the turns are for other users. */
static bool has_turn(const struct connections *connections, const struct connection *connection)
{
	size_t n = 0, n_own = 0;

	if (!connection_is_large(connection) || connection->has_turn)
		return true;
	for (size_t i = 0; i < connections->n; i++) {
		const struct connection *other = connections->v[i];

		n += other->has_turn;
		n_own += other->has_turn && other->user == connection->user;
	}
	return n < PQ_SERVICE_LARGE_MAX && n_own < PQ_SERVICE_LARGE_MAX / 2;
}

static void choose_events(struct connections *connections, struct connection *connection)
{
	bool reads = !connection->is_at_end && connections_may_serve(connections, connection) &&
		     has_turn(connections, connection);
	struct epoll_event event = {
		.events = (connection_n_queued(connection) ? EPOLLOUT : 0u) |
			  (reads ? EPOLLIN | EPOLLRDHUP : 0u),
		.data.ptr = connection,
	};

	connection->has_turn = reads && connection_is_large(connection);
	if (event.events != connection->events)
		epoll_ctl(connections->epoll, EPOLL_CTL_MOD, connection->fd, &event);
	connection->events = event.events;
}

void connections_choose_events(struct connections *connections)
{
	for (size_t i = 0; i < connections->n; i++)
		choose_events(connections, connections->v[i]);
}

/* ---------------------------------------------------------------------------------------- time */

/* When it has to have read a reply, or to have sent a byte of a large request; -1: never. */
static int64_t deadline_of(const struct connection *connection)
{
	int64_t from = connection->stuck_ms   ? connection->stuck_ms
		       : connection->has_turn ? connection->read_ms
					      : -1;

	return from < 0 ? -1 : from + (int64_t)PQ_SERVICE_SILENCE_MAX_MS;
}

int64_t connections_deadline(const struct connections *connections)
{
	int64_t first = -1;

	for (size_t i = 0; i < connections->n; i++) {
		int64_t deadline = deadline_of(connections->v[i]);

		if (deadline >= 0 && (first < 0 || deadline < first))
			first = deadline;
	}
	return first;
}

/* A connection that ended and does not read the error either is closed. */
void connections_end_stuck(struct connections *connections, int64_t now_ms)
{
	for (size_t i = connections->n; i-- > 0;) {
		struct connection *connection = connections->v[i];
		int64_t deadline = deadline_of(connection);
		bool is_deaf = connection->stuck_ms;

		if (deadline < 0 || now_ms < deadline)
			continue;
		if (connection->is_ending) {
			connections_remove(connections, connection);
			continue;
		}
		connection->stuck_ms = is_deaf ? now_ms : 0;
		connections_end(connections, connection, "TooSlow",
				is_deaf ? "the client does not read its replies"
					: "the client does not end its request");
	}
}

bool connections_are_in_use(const struct connections *connections)
{
	char byte;

	for (size_t i = 0; i < connections->n; i++) {
		const struct connection *connection = connections->v[i];

		if (connection->in.n || connection_n_queued(connection) ||
		    recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0)
			return true;
	}
	return false;
}
