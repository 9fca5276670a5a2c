/* SPDX-License-Identifier: MIT */
#include "service/connection.h"
#include "core/limits.h"
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

/* Of one client, before others have their turn. */
#define READ_BYTES ((size_t)16 << 10)
/* A larger buffer is freed when it is empty. */
#define KEPT_BYTES ((size_t)32 << 10)

struct connection *connection_new(int fd)
{
	struct connection *connection = calloc(1, sizeof(*connection));
	struct ucred peer = { .uid = (uid_t)-1 };
	socklen_t n = sizeof(peer);

	if (!connection)
		return NULL;
	/* Clients without credentials are one user. */
	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n);
	connection->fd = fd;
	connection->user = peer.uid;
	connection->process = peer.pid;
	return connection;
}

void connection_close(struct connection *connection)
{
	close(connection->fd);
	connection->is_gone = true;
}

void connection_free(struct connection *connection)
{
	pq_buf_free(&connection->in);
	pq_buf_free(&connection->out);
	free(connection);
}

/* Empties the buffer; memory that was needed once is not kept for ever. */
static void empty(struct pq_buf *buf)
{
	if (buf->capacity > KEPT_BYTES)
		pq_buf_free(buf);
	buf->n = 0;
}

/* ----------------------------------------------------------------------------------- requests */

bool connection_read(struct connection *connection, int64_t now_ms)
{
	char *to = pq_buf_reserve(&connection->in, READ_BYTES);
	ssize_t n = to ? recv(connection->fd, to, READ_BYTES, MSG_DONTWAIT) : -1;

	if (!to)
		return false;
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	connection->is_at_end = n == 0;
	connection->read_ms = now_ms;
	connection->in.n += (size_t)n;
	return true;
}

bool connection_message(struct connection *connection, struct pmuq_str *ret)
{
	size_t left = connection->in.n - connection->n_scanned;
	const char *end = left ? memchr(connection->in.p + connection->n_scanned, 0, left) : NULL;

	connection->n_scanned = end ? (size_t)(end - connection->in.p) : connection->in.n;
	if (!end || connection_is_too_large(connection))
		return false;
	*ret = (struct pmuq_str){ .p = connection->in.p, .n = (size_t)(end - connection->in.p) };
	return true;
}

void connection_drop_message(struct connection *connection, struct pmuq_str message)
{
	struct pq_buf *in = &connection->in;

	in->n -= message.n + 1;
	memmove(in->p, in->p + message.n + 1, in->n);
	connection->n_scanned = 0;
	if (!in->n)
		empty(in);
}

bool connection_is_large(const struct connection *connection)
{
	return connection->n_scanned > PQ_SERVICE_SMALL_MAX_BYTES;
}

bool connection_is_too_large(const struct connection *connection)
{
	return connection->n_scanned > PQ_SERVICE_REQUEST_MAX_BYTES;
}

/* ------------------------------------------------------------------------------------ replies */

size_t connection_n_queued(const struct connection *connection)
{
	return connection->out.n - connection->n_sent;
}

bool connection_send(struct connection *connection, int64_t now_ms)
{
	size_t left = connection_n_queued(connection);
	ssize_t n;

	if (!left)
		return true;
	n = send(connection->fd, connection->out.p + connection->n_sent, left,
		 MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return false;
	if (n > 0) {
		connection->n_sent += (size_t)n;
		connection->stuck_ms = 0;
	}
	if (connection->n_sent == connection->out.n) {
		connection->n_sent = 0;
		empty(&connection->out);
	} else if (!connection->stuck_ms) {
		connection->stuck_ms = now_ms;
	}
	return true;
}

void connection_forget_replies(struct connection *connection)
{
	size_t left = connection_n_queued(connection);
	const char *from, *end;
	bool is_begun;

	if (!left)
		return;
	from = connection->out.p + connection->n_sent;
	is_begun = connection->n_sent && from[-1] != 0;
	end = is_begun ? memchr(from, 0, left) : NULL;
	connection->out.n = end ? (size_t)(end + 1 - connection->out.p) : connection->n_sent;
}
