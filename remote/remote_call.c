/* SPDX-License-Identifier: MIT */
/* The reply of a daemon is read as untrusted input: its length and its time are limited. */
#include "remote/remote_call.h"
#include "core/limits.h"
#include "core/text/json_read.h"
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define PART_BYTES ((size_t)64 << 10)
/* A daemon needs milliseconds; a stopped one must not stop its clients. */
#define WAIT_S 30
/* Of a reply that is not as expected, in its error. */
#define SHOWN_BYTES 200

/* ---------------------------------------------------------------------------------- connection */

static int fail_errno(const struct pq_remote *remote, enum pmuq_code code, const char *what,
		      struct pmuq_error **reterr)
{
	int errnum = errno;

	pq_fail(reterr, code, "%s: %s", what, pq_errno_text(errnum));
	pq_error_errno(reterr, errnum);
	pq_error_origin(reterr, str_of(remote->path));
	return -(int)code;
}

static int fail_reply(const struct pq_remote *remote, const char *what, struct pmuq_error **reterr)
{
	pq_fail(reterr, PMUQ_E_BAD_SERVICE, "%s", what);
	pq_error_origin(reterr, str_of(remote->path));
	return -PMUQ_E_BAD_SERVICE;
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

static int connect_to(struct pq_remote *remote, struct pmuq_error **reterr)
{
	const struct timeval wait = { .tv_sec = WAIT_S };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t n = strlen(remote->path);

	if (n >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return fail_errno(remote, PMUQ_E_NO_SERVICE, "no daemon can be called", reterr);
	}
	memcpy(address.sun_path, remote->path, n);
	remote->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (remote->fd < 0)
		return fail_errno(remote, PMUQ_E_TOO_MANY_FILES, "no socket", reterr);
	setsockopt(remote->fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	setsockopt(remote->fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
	if (connect(remote->fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		return fail_no_service(remote, reterr);
	return 0;
}

int pq_remote_open(struct pq_remote *remote, const char *path, struct pmuq_error **reterr)
{
	*remote = (struct pq_remote){ .path = strdup(path), .fd = -1 };
	if (!remote->path)
		return pq_fail_memory(reterr);
	return connect_to(remote, reterr);
}

void pq_remote_clear(struct pq_remote *remote)
{
	pq_closep(&remote->fd);
	pq_buf_free(&remote->reply);
	free(remote->path);
	remote->path = NULL;
}

/* -------------------------------------------------------------------------------------- replies */

static bool send_call(const struct pq_remote *remote, const char *method)
{
	char call[128];
	int n = snprintf(call, sizeof(call), "{\"method\": \"io.pmuq.%s\"}", method);
	size_t left = (size_t)n + 1;

	/* The message and its NUL fit into any socket's buffer. */
	return send(remote->fd, call, left, MSG_NOSIGNAL) == (ssize_t)left;
}

/* PQ_NONE: the connection was closed, and no byte of a reply came. */
static int receive(struct pq_remote *remote, struct pmuq_error **reterr)
{
	struct pq_buf *reply = &remote->reply;

	reply->n = 0;
	while (!reply->n || reply->p[reply->n - 1]) {
		char *to = pq_buf_reserve(reply, PART_BYTES);
		ssize_t n;

		if (!to)
			return pq_fail_memory(reterr);
		n = recv(remote->fd, to, PART_BYTES, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (!reply->n && (n == 0 || (n < 0 && errno == ECONNRESET)))
			return PQ_NONE;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return fail_reply(remote, "no reply within 30 seconds", reterr);
		if (n <= 0)
			return fail_reply(remote, "the connection ended within the reply", reterr);
		reply->n += (size_t)n;
		if (reply->n > PQ_DOCUMENT_MAX_BYTES)
			return fail_reply(remote, "the reply is too large", reterr);
	}
	reply->n--;
	return 0;
}

static int call(struct pq_remote *remote, const char *method, struct pmuq_error **reterr)
{
	if (remote->fd < 0 || !send_call(remote, method))
		return PQ_NONE;
	return receive(remote, reterr);
}

static int call_again(struct pq_remote *remote, const char *method, struct pmuq_error **reterr)
{
	int r;

	pq_closep(&remote->fd);
	r = connect_to(remote, reterr);
	if (r < 0)
		return r;
	r = call(remote, method, reterr);
	return r == PQ_NONE ? fail_reply(remote, "the connection ended without a reply", reterr)
			    : r;
}

/* The text of a value whose first token was read; false: it is not complete. */
static bool whole_value(struct pq_json_reader *json, enum pq_json_token token, struct pmuq_str *ret)
{
	unsigned depth = json->depth;
	size_t start = json->start;

	if (token == PQ_JSON_OPEN_OBJECT || token == PQ_JSON_OPEN_LIST)
		while (token != PQ_JSON_BAD && token != PQ_JSON_END && json->depth >= depth)
			token = pq_json_next(json);
	if (token == PQ_JSON_BAD || token == PQ_JSON_END)
		return false;
	*ret = str_part(json->text, start, json->at);
	return true;
}

/* Finds the member of the object whose first token was read. */
static bool find_member(struct pq_json_reader *json, const char *name, enum pq_json_token *ret)
{
	struct pmuq_str skipped;

	while (pq_json_next(json) == PQ_JSON_KEY) {
		bool is_wanted = str_eq(json->value, str_of(name));

		*ret = pq_json_next(json);
		if (is_wanted)
			return true;
		if (!whole_value(json, *ret, &skipped))
			return false;
	}
	return false;
}

/* A service that is not pmuqd, or another version. */
static int fail_member(const struct pq_remote *remote, const char *what, struct pmuq_error **reterr)
{
	struct pmuq_str shown = pq_buf_str(&remote->reply);

	pq_fail(reterr, PMUQ_E_BAD_SERVICE, "the reply has no '%s'", what);
	if (shown.n > SHOWN_BYTES)
		shown.n = SHOWN_BYTES;
	pq_error_input(reterr, shown);
	pq_error_origin(reterr, str_of(remote->path));
	return -PMUQ_E_BAD_SERVICE;
}

int pq_remote_find(const struct pq_remote *remote, const char *parameter, struct pmuq_str *ret,
		   struct pmuq_error **reterr)
{
	struct pq_json_reader json = { .text = pq_buf_str(&remote->reply) };
	enum pq_json_token token = pq_json_next(&json);
	bool is_found = token == PQ_JSON_OPEN_OBJECT && find_member(&json, "parameters", &token) &&
			token == PQ_JSON_OPEN_OBJECT && find_member(&json, parameter, &token) &&
			whole_value(&json, token, ret);

	pq_json_clear(&json);
	return is_found ? 0 : fail_member(remote, parameter, reterr);
}

int pq_remote_get(struct pq_remote *remote, const char *method, const char *parameter,
		  struct pmuq_str *ret, struct pmuq_error **reterr)
{
	int r = call(remote, method, reterr);

	if (r == PQ_NONE)
		r = call_again(remote, method, reterr);
	return r < 0 ? r : pq_remote_find(remote, parameter, ret, reterr);
}
