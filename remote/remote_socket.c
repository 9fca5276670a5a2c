/* SPDX-License-Identifier: MIT */
/* Connects to a daemon, sends calls, and cuts what comes into messages. Reads no message. */
#include "remote/remote_socket.h"
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define PART_BYTES ((size_t)64 << 10)
/* A daemon needs milliseconds; a stopped one must not stop its clients. */
#define WAIT_S 30

/* -------------------------------------------------------------------------------------- errors */

static int fail_errno(const struct pq_remote *remote, enum pmuq_code code, const char *what,
		      struct pmuq_error **reterr)
{
	int errnum = errno;
	int r = pq_fail(reterr, code, "%s: %s", what, pq_errno_text(errnum));

	pq_error_errno(reterr, errnum);
	pq_error_origin(reterr, str_of(remote->path));
	return r;
}

int pq_remote_fail(const struct pq_remote *remote, const char *what, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_BAD_SERVICE, "%s", what);

	pq_error_origin(reterr, str_of(remote->path));
	return r;
}

static int fail_no_service(const struct pq_remote *remote, struct pmuq_error **reterr)
{
	bool is_missing = errno == ENOENT || errno == ECONNREFUSED;
	int r = fail_errno(remote, PMUQ_E_NO_SERVICE, "no daemon can be called", reterr);

	if (is_missing)
		pq_error_hint(reterr, "start one: systemctl start pmuqd.socket, or pmuqd --socket "
				      "PATH");
	return r;
}

/* ---------------------------------------------------------------------------------- connection */

int pq_remote_connect(struct pq_remote *remote, bool waits, struct pmuq_error **reterr)
{
	const struct timeval wait = { .tv_sec = WAIT_S };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t n = strlen(remote->path);

	pq_remote_end(remote);
	if (n >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return fail_errno(remote, PMUQ_E_NO_SERVICE, "no daemon can be called", reterr);
	}
	memcpy(address.sun_path, remote->path, n);
	remote->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), 0);
	if (remote->fd < 0)
		return fail_errno(remote, PMUQ_E_TOO_MANY_FILES, "no socket", reterr);
	setsockopt(remote->fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	setsockopt(remote->fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
	if (connect(remote->fd, (const struct sockaddr *)&address, sizeof(address)) < 0) {
		int r = fail_no_service(remote, reterr);

		pq_remote_end(remote);
		return r;
	}
	remote->n_connections++;
	return 0;
}

int pq_remote_open(struct pq_remote *remote, const char *path, size_t message_max_bytes,
		   struct pmuq_error **reterr)
{
	*remote = (struct pq_remote){
		.path = strdup(path),
		.fd = -1,
		.message_max_bytes = message_max_bytes,
	};
	if (!remote->path)
		return pq_fail_memory(reterr);
	return pq_remote_connect(remote, true, reterr);
}

void pq_remote_end(struct pq_remote *remote)
{
	pq_closep(&remote->fd);
	remote->fd = -1;
	pq_remote_drop(remote);
}

void pq_remote_clear(struct pq_remote *remote)
{
	pq_remote_end(remote);
	free(remote->path);
	remote->path = NULL;
}

/* ------------------------------------------------------------------------------------ messages */

bool pq_remote_send(const struct pq_remote *remote, const char *method, bool more)
{
	char call[128];
	int n = snprintf(call, sizeof(call), "{\"method\": \"io.pmuq.%s\"%s}", method,
			 more ? ", \"more\": true" : "");
	size_t left = (size_t)n + 1;

	/* The message and its NUL fit into any socket's buffer. */
	return send(remote->fd, call, left, MSG_NOSIGNAL) == (ssize_t)left;
}

void pq_remote_drop(struct pq_remote *remote)
{
	pq_buf_free(&remote->received);
	remote->message = (struct pmuq_str){ 0 };
	remote->next = remote->n_scanned = 0;
}

/* False: it is not complete. */
static bool take_message(struct pq_remote *remote)
{
	struct pmuq_str all = pq_buf_str(&remote->received);
	struct pmuq_str rest = str_part(all, remote->n_scanned, all.n);
	const char *end = memchr(rest.p, 0, rest.n);

	remote->n_scanned = end ? (size_t)(end - all.p) + 1 : all.n;
	if (!end)
		return false;
	remote->message = str_part(all, remote->next, remote->n_scanned - 1);
	remote->next = remote->n_scanned;
	return true;
}

/* Moves the beginning of a message to that of the buffer. */
static void forget_taken(struct pq_remote *remote)
{
	struct pq_buf *received = &remote->received;

	remote->message = (struct pmuq_str){ 0 };
	if (!remote->next)
		return;
	received->n -= remote->next;
	remote->n_scanned -= remote->next;
	memmove(received->p, received->p + remote->next, received->n);
	remote->next = 0;
}

static int read_part(struct pq_remote *remote, bool waits, struct pmuq_error **reterr)
{
	struct pq_buf *received = &remote->received;
	ssize_t n;
	char *to;

	if (received->n > remote->message_max_bytes)
		return pq_remote_fail(remote, "the reply is too large", reterr);
	to = pq_buf_reserve(received, PART_BYTES);
	if (!to)
		return pq_fail_memory(reterr);
	do
		n = recv(remote->fd, to, PART_BYTES, waits ? 0 : MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n > 0) {
		received->n += (size_t)n;
		return PQ_RECEIVED_MESSAGE;
	}
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return waits ? pq_remote_fail(remote, "no reply within 30 seconds", reterr)
			     : PQ_RECEIVED_NOTHING;
	if (!received->n && (n == 0 || errno == ECONNRESET))
		return PQ_RECEIVED_END;
	return pq_remote_fail(remote, "the connection ended within the reply", reterr);
}

int pq_remote_receive(struct pq_remote *remote, bool waits, struct pmuq_error **reterr)
{
	int r;

	while (!take_message(remote)) {
		forget_taken(remote);
		r = read_part(remote, waits, reterr);
		if (r != PQ_RECEIVED_MESSAGE)
			return r;
	}
	return PQ_RECEIVED_MESSAGE;
}
