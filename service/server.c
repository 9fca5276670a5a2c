/* SPDX-License-Identifier: MIT */
/* One thread. Each connection has one request at a time processed, and then others have their turn.
 */
#include "service/server.h"
#include "cli/clock.h"
#include "cli/or_die.h"
#include "service/interface.h"
#include "service/log.h"
#include "service/manager.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* Without descriptors the next client waits so long; the log has a line a minute. */
#define PAUSE_MS 1000
#define WARN_MS 60000
#define EVENTS_MAX 64

/* --------------------------------------------------------------------------------- connecting */

/* EMFILE and ENFILE last: the listener would be reported again at once. */
static void pause_listener(struct server *server, int errnum)
{
	int64_t now = clock_running_ms();

	epoll_ctl(server->epoll, EPOLL_CTL_DEL, server->listener, NULL);
	server->paused_ms = now + PAUSE_MS;
	if (!server->warned_ms || now - server->warned_ms >= WARN_MS) {
		log_line(LOG_LEVEL_ERROR, "accept: %s; clients wait", strerror(errnum));
		server->warned_ms = now;
	}
}

static void resume_listener(struct server *server)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = &server->listener };

	server->paused_ms = 0;
	epoll_ctl(server->epoll, EPOLL_CTL_ADD, server->listener, &event);
}

static void accept_client(struct server *server)
{
	int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd >= 0) {
		server->used_ms = clock_running_ms();
		connections_add(&server->connections, fd);
	} else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
		pause_listener(server, errno);
	}
}

/* ------------------------------------------------------------------------------------ requests */

/* False: the connection is gone. */
static bool call(struct server *server, struct connection *connection, struct pmuq_str message)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_SERVICE_TREE_MAX_BYTES);
	struct connections *connections = &server->connections;
	size_t before = connection_n_queued(connection), start = connection->out.n;
	struct varlink_call parsed;
	const char *problem;

	if (!varlink_parse(&arena, message, &parsed, &problem))
		return connections_end(connections, connection, "BadMessage", problem);
	log_line(LOG_LEVEL_DEBUG, "process %d of user %u calls %.*s", connection->process,
		 connection->user, (int)parsed.method.n, parsed.method.p);
	server->service.clients =
		(struct counts_of_clients){ connections->n, connections->n_subscribers };
	if (service_call(&server->service, &parsed, &connection->out) == CALL_SUBSCRIBED) {
		connections->n_subscribers += !connection->is_subscriber;
		connection->is_subscriber = true;
	} else if (parsed.is_oneway) {
		connection->out.n = start;
	}
	return connections_flush(connections, connection, before);
}

/* The next request, if there is a whole one. False: the connection is gone. */
static bool serve(struct server *server, struct connection *connection)
{
	struct pmuq_str message;

	if (!connections_may_serve(&server->connections, connection))
		return true;
	if (connection_message(connection, &message) && message.n <= PQ_SERVICE_REQUEST_MAX_BYTES) {
		server->used_ms = clock_running_ms();
		connection->has_turn = false;
		if (!call(server, connection, message))
			return false;
		connection_drop_message(connection, message);
	}
	if (connection_is_too_large(connection))
		return connections_end(&server->connections, connection, "RequestTooLarge",
				       "a request may have 1 MiB");
	return true;
}

/* Whether it may have a whole request that was read with the one before. */
static bool has_more(const struct server *server, const struct connection *connection)
{
	return connection->in.n > connection->n_scanned &&
	       connections_may_serve(&server->connections, connection);
}

static void take_connection(struct server *server, struct connection *connection, unsigned events)
{
	struct connections *connections = &server->connections;

	if (events & EPOLLOUT &&
	    !connections_flush(connections, connection, connection_n_queued(connection)))
		return;
	/* Nobody can read a reply any longer, or the connection is broken. */
	if (events & (EPOLLHUP | EPOLLERR) ||
	    (events & EPOLLIN && !connection_read(connection, clock_running_ms()))) {
		connections_remove(connections, connection);
		return;
	}
	if (!serve(server, connection))
		return;
	/* Half a message at the end has no reply. A subscriber that closed its side is gone. */
	if (connection->is_at_end && !has_more(server, connection) &&
	    !connection_n_queued(connection))
		connections_remove(connections, connection);
}

/* Requests that were read with others before them. */
static void serve_waiting(struct server *server)
{
	struct connections *connections = &server->connections;

	for (size_t i = connections->n; i-- > 0;)
		if (i < connections->n && has_more(server, connections->v[i]))
			take_connection(server, connections->v[i], 0);
}

/* ------------------------------------------------------------------------------------- changes */

static void send_change(struct server *server, const struct follower_change *change)
{
	cleanup(pq_buf_free) struct pq_buf message = PQ_BUF_NULL;
	struct connections *connections = &server->connections;

	service_add_state(&server->service, change, &message);
	done_or_die(!message.failed);
	for (size_t i = connections->n; i-- > 0;) {
		struct connection *connection = connections->v[i];
		size_t before = connection_n_queued(connection);

		if (!connection->is_subscriber)
			continue;
		if (before + message.n > PQ_SERVICE_CHANGES_MAX_BYTES) {
			connections_end(connections, connection, "TooSlow",
					"the client does not read the changes");
			continue;
		}
		pq_buf_add(&connection->out, pq_buf_str(&message));
		connections_flush(connections, connection, before);
	}
}

static void read_machine(struct server *server)
{
	struct states *states = &server->service.states;
	struct follower_change change;
	bool was_unreadable = states->follower.is_unreadable;

	if (states_step(states, &change) != STATUS_OK) {
		if (!was_unreadable)
			log_line(LOG_LEVEL_WARNING,
				 "the machine cannot be read; its last state remains");
	} else if (change.diff) {
		log_line(LOG_LEVEL_INFO, "generation %llu: %zu changes",
			 (unsigned long long)states->follower.generation,
			 pmuq_diff_count(change.diff));
		send_change(server, &change);
	}
	follower_change_clear(&change);
}

/* ---------------------------------------------------------------------------------------- ends */

static void reload(struct server *server)
{
	log_line(LOG_LEVEL_INFO, "reloading");
	manager_notify_reload();
	served_clear(&server->service.served);
	if (follower_refresh(&server->service.states.follower, 0) != STATUS_OK)
		log_line(LOG_LEVEL_WARNING, "the machine cannot be read; its last state remains");
	manager_notify("READY=1");
}

static void take_signal(struct server *server)
{
	struct signalfd_siginfo info;

	if (read(server->signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	if (info.ssi_signo == SIGHUP)
		reload(server);
	else
		server->is_ending = true;
}

/* A request that came after the last turn is not lost. */
static void end_if_idle(struct server *server, int64_t now)
{
	if (server->idle_ms < 0 || server->connections.n_subscribers ||
	    now - server->used_ms < server->idle_ms || connections_are_in_use(&server->connections))
		return;
	log_line(LOG_LEVEL_INFO, "no call for %lld s", (long long)server->idle_ms / 1000);
	server->is_ending = true;
}

/* ---------------------------------------------------------------------------------------- loop */

static void sooner(int *timeout_ms, int64_t left_ms)
{
	int left = left_ms < 0 ? 0 : left_ms < INT_MAX ? (int)left_ms : INT_MAX;

	if (*timeout_ms < 0 || left < *timeout_ms)
		*timeout_ms = left;
}

/* Until something is due, -1: until something happens. */
static int timeout_of(const struct server *server, int64_t now)
{
	const struct connections *connections = &server->connections;
	int timeout_ms = follower_timeout_ms(&server->service.states.follower);
	int64_t deadline = connections_deadline(connections);

	for (size_t i = 0; i < connections->n; i++)
		if (has_more(server, connections->v[i]))
			return 0;
	if (deadline >= 0)
		sooner(&timeout_ms, deadline - now);
	if (server->paused_ms)
		sooner(&timeout_ms, server->paused_ms - now);
	if (server->idle_ms >= 0 && !connections->n_subscribers)
		sooner(&timeout_ms, server->used_ms + server->idle_ms - now);
	return timeout_ms;
}

static void take_event(struct server *server, const struct epoll_event *event)
{
	struct connection *connection = event->data.ptr;

	if (event->data.ptr == &server->listener)
		accept_client(server);
	else if (event->data.ptr == &server->signals)
		take_signal(server);
	else if (event->data.ptr == &server->service)
		read_machine(server);
	else if (!connection->is_gone)
		take_connection(server, connection, event->events);
}

/* What time demands, after the events. */
static void take_time(struct server *server)
{
	int64_t now = clock_running_ms();

	if (follower_timeout_ms(&server->service.states.follower) == 0)
		read_machine(server);
	if (server->paused_ms && now >= server->paused_ms)
		resume_listener(server);
	connections_end_stuck(&server->connections, now);
	connections_choose_events(&server->connections);
	connections_free_gone(&server->connections);
	if (server->listener < 0 && !server->connections.n)
		server->is_ending = true;
	end_if_idle(server, now);
}

static enum status turn(struct server *server)
{
	struct epoll_event events[EVENTS_MAX];
	int timeout_ms = timeout_of(server, clock_running_ms());
	int n = epoll_wait(server->epoll, events, EVENTS_MAX, timeout_ms);

	if (n < 0 && errno != EINTR) {
		log_line(LOG_LEVEL_ERROR, "epoll_wait: %s", strerror(errno));
		return STATUS_FAILED;
	}
	for (int i = 0; i < n; i++)
		take_event(server, &events[i]);
	serve_waiting(server);
	take_time(server);
	return STATUS_OK;
}

static bool add_events(struct server *server, int fd, void *of)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = of };

	return epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static sigset_t taken_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	return set;
}

void server_block_signals(void)
{
	sigset_t set = taken_signals();

	sigprocmask(SIG_BLOCK, &set, NULL);
}

static bool begin(struct server *server)
{
	sigset_t set = taken_signals();

	server->epoll = server->connections.epoll = epoll_create1(EPOLL_CLOEXEC);
	server->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return server->epoll >= 0 && server->signals >= 0 &&
	       (server->listener < 0 || add_events(server, server->listener, &server->listener)) &&
	       add_events(server, server->signals, &server->signals) &&
	       add_events(server, follower_fd(&server->service.states.follower), &server->service);
}

enum status server_run(struct server *server)
{
	struct connections *connections = &server->connections;
	enum status status = STATUS_OK;

	if (!begin(server)) {
		log_line(LOG_LEVEL_ERROR, "cannot begin: %s", strerror(errno));
		return STATUS_FAILED;
	}
	server->used_ms = clock_running_ms();
	if (server->listener < 0)
		connections_add(connections, server->client);
	manager_notify("READY=1");
	while (status == STATUS_OK && !server->is_ending)
		status = turn(server);
	manager_notify("STOPPING=1");
	while (connections->n)
		connections_remove(connections, connections->v[0]);
	connections_free_gone(connections);
	pq_vec_free(connections);
	pq_vec_free(&connections->gone);
	close(server->signals);
	close(server->epoll);
	return status;
}
