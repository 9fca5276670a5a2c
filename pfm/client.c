/* SPDX-License-Identifier: MIT */
/*
 * Exchanges frames with the helper process: starts it when it is needed, enforces the timeout, and
 * turns all possible failures (not installed, crashed, hung, invalid frames) into errors. The
 * callers parse the records in the frames.
 */
#include "pfm/client.h"
#include <errno.h>
#include <pmuq/pmuq.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#define READ_BYTES ((size_t)64 << 10)
/* The exit status of the dynamic linker if a library is missing. */
#define EXIT_NO_LIBRARY 127

enum pq_pfm_taken pq_pfm_taken_of(const struct pq_wire *in, bool is_last)
{
	if (in->failed)
		return in->is_out_of_memory ? PQ_PFM_TAKEN_NO_MEMORY : PQ_PFM_TAKEN_INVALID;
	return is_last ? PQ_PFM_TAKEN_LAST : PQ_PFM_TAKEN_MORE;
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int fail_unavailable(const struct pmuq_pfm *pfm, int errnum, const char *why,
			    const char *hint, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_PFM_UNAVAILABLE, "libpfm4 is not available: %s", why);

	if (pfm->path)
		pq_error_origin(reterr, str_of(pfm->path));
	pq_error_errno(reterr, errnum);
	pq_error_hint(reterr, "%s", hint);
	return r;
}

static int fail_failed(struct pmuq_pfm *pfm, struct pmuq_error **reterr, const char *format, ...)
	PQ_PRINTF(3, 4);

static int fail_failed(struct pmuq_pfm *pfm, struct pmuq_error **reterr, const char *format, ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = pq_fail_args(reterr, PMUQ_E_PFM_FAILED, format, args);
	va_end(args);
	pq_error_in(reterr, "the helper process of libpfm4 ");
	pq_error_origin(reterr, str_of(pfm->path));
	pq_error_hint(
		reterr,
		"try again: it will be restarted; pmuq-pfm must be of the same build as pmuq");
	return r;
}

static int stop(struct pmuq_pfm *pfm)
{
	pq_buf_free(&pfm->in);
	return pq_process_stop(&pfm->process);
}

/* The helper closed the socket. It may still run then, so a SIGKILL is that of stop(). */
static int fail_ended(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	int status = stop(pfm);

	if (status == -1)
		return fail_failed(pfm, reterr, "ended");
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
		return fail_failed(pfm, reterr, "crashed: signal %d", WTERMSIG(status));
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_LIBRARY)
		return fail_unavailable(pfm, 0, "the library is not installed",
					"install it (Debian: libpfm4)", reterr);
	return fail_failed(pfm, reterr, "closed its socket");
}

static int fail_invalid(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	stop(pfm);
	return fail_failed(pfm, reterr, "sent an invalid frame");
}

/* Whether a complete frame has been received. *ret_invalid: the bytes are not a frame. */
static bool has_frame(const struct pmuq_pfm *pfm, struct pq_pfm_header *ret, bool *ret_invalid)
{
	*ret_invalid = false;
	if (pfm->in.n < sizeof(*ret))
		return false;
	memcpy(ret, pfm->in.p, sizeof(*ret));
	*ret_invalid = ret->magic != PQ_PFM_MAGIC || ret->bytes > PQ_PFM_FRAME_MAX_BYTES;
	return !*ret_invalid && pfm->in.n - sizeof(*ret) >= ret->bytes;
}

static enum pq_pfm_taken take_frame(struct pmuq_pfm *pfm, const struct pq_pfm_header *header,
				    pq_pfm_take *take, void *self)
{
	size_t whole = sizeof(*header) + header->bytes;
	struct pq_wire wire = { .p = pfm->in.p + sizeof(*header), .end = pfm->in.p + whole };
	enum pq_pfm_taken taken = take(self, header, &wire);

	if (taken <= PQ_PFM_TAKEN_MORE && !pq_wire_is_done(&wire))
		return PQ_PFM_TAKEN_INVALID;
	pfm->in.n -= whole;
	memmove(pfm->in.p, pfm->in.p + whole, pfm->in.n);
	return taken;
}

/* Receives what is available: its bytes, 0 for nothing now, -1 at the end. */
static ssize_t receive(struct pmuq_pfm *pfm)
{
	char bytes[READ_BYTES];
	ssize_t n = recv(pfm->process.fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return -1;
	pq_buf_add(&pfm->in, (struct pmuq_str){ .p = bytes, .n = (size_t)n });
	return n;
}

/* The end of a socket is detected by receiving, after the frames that were sent before. */
static size_t transmit(const struct pmuq_pfm *pfm, struct pmuq_str rest)
{
	ssize_t n = send(pfm->process.fd, rest.p, rest.n, MSG_DONTWAIT | MSG_NOSIGNAL);

	return n > 0 ? (size_t)n : n < 0 && errno == EPIPE ? rest.n : 0;
}

/* Moves bytes in both directions, once. 1, or a failure. */
static int move_bytes(struct pmuq_pfm *pfm, struct pmuq_str *rest, int64_t deadline_ms,
		      struct pmuq_error **reterr)
{
	struct pollfd fd = { .fd = pfm->process.fd, .events = POLLIN };
	int64_t left_ms = deadline_ms - now_ms();
	int n;

	fd.events |= rest->n ? POLLOUT : 0;
	n = left_ms > 0 ? poll(&fd, 1, left_ms < INT32_MAX ? (int)left_ms : INT32_MAX) : 0;
	if (n < 0 && errno == EINTR)
		return 1;
	if (n <= 0) {
		stop(pfm);
		return fail_failed(pfm, reterr, "did not respond within %u ms", pfm->timeout_ms);
	}
	if (fd.revents & POLLOUT)
		*rest = str_part(*rest, transmit(pfm, *rest), rest->n);
	if ((fd.revents & ~POLLOUT) && receive(pfm) < 0)
		return fail_ended(pfm, reterr);
	if (!pfm->in.failed)
		return 1;
	stop(pfm);
	return pq_fail_memory(reterr);
}

/* Sends and receives until `take` has received the last frame. It must do both at the same time:
 * the helper stops reading requests while the socket is full of results. */
static int exchange(struct pmuq_pfm *pfm, struct pmuq_str rest, pq_pfm_take *take, void *self,
		    struct pmuq_error **reterr)
{
	int64_t deadline_ms = now_ms() + pfm->timeout_ms;
	struct pq_pfm_header header;
	enum pq_pfm_taken taken;
	bool is_invalid;
	int r;

	for (;;) {
		while (has_frame(pfm, &header, &is_invalid)) {
			taken = take_frame(pfm, &header, take, self);
			if (taken == PQ_PFM_TAKEN_LAST)
				return rest.n || pfm->in.n ? fail_invalid(pfm, reterr) : 0;
			if (taken == PQ_PFM_TAKEN_INVALID)
				return fail_invalid(pfm, reterr);
			if (taken == PQ_PFM_TAKEN_NO_MEMORY) {
				stop(pfm);
				return pq_fail_memory(reterr);
			}
			deadline_ms = now_ms() + pfm->timeout_ms;
		}
		if (is_invalid)
			return fail_invalid(pfm, reterr);
		r = move_bytes(pfm, &rest, deadline_ms, reterr);
		if (r < 0)
			return r;
	}
}

static enum pq_pfm_taken take_hello(void *self, const struct pq_pfm_header *header,
				    struct pq_wire *in)
{
	struct pmuq_pfm *pfm = self;
	struct pmuq_str library = pq_wire_get_text(in), build_id = pq_wire_get_text(in);
	struct pmuq_str path = pq_wire_get_text(in);

	if (header->type != PQ_PFM_HELLO || in->failed)
		return PQ_PFM_TAKEN_INVALID;
	free(pfm->library);
	free(pfm->build_id);
	free(pfm->library_path);
	pfm->library = strndup(library.p, library.n);
	pfm->build_id = strndup(build_id.p, build_id.n);
	pfm->library_path = strndup(path.p, path.n);
	return pfm->library && pfm->build_id && pfm->library_path ? PQ_PFM_TAKEN_LAST
								  : PQ_PFM_TAKEN_NO_MEMORY;
}

int pq_pfm_start(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	int r;

	if (pq_process_is_mine(&pfm->process))
		return 0;
	/* After fork(2): closes the copy of the parent's socket, and leaves its helper alone. */
	stop(pfm);
	if (!pfm->path)
		return fail_unavailable(
			pfm, 0, "its helper pmuq-pfm is not installed",
			"build pmuq where libpfm4's header is (Debian: libpfm4-dev; "
			"meson setup -Dpfm=enabled)",
			reterr);
	r = pq_process_start(pfm->path, &pfm->process);
	if (r == -ENOMEM)
		return pq_fail_memory(reterr);
	if (r < 0)
		return fail_unavailable(pfm, -r, "its helper does not start",
					"pmuq-pfm is installed with pmuq where libpfm4 was found",
					reterr);
	pfm->is_starting = true;
	return 0;
}

int pq_pfm_await(struct pmuq_pfm *pfm, struct pmuq_error **reterr)
{
	int r = pq_pfm_start(pfm, reterr);

	if (r < 0 || !pfm->is_starting)
		return r;
	pfm->is_starting = false;
	return exchange(pfm, STR(""), take_hello, pfm, reterr);
}

int pq_pfm_request(struct pmuq_pfm *pfm, const struct pq_buf *requests, pq_pfm_take *take,
		   void *self, struct pmuq_error **reterr)
{
	int r = pq_pfm_await(pfm, reterr);

	if (r < 0)
		return r;
	return exchange(pfm, pq_buf_str(requests), take, self, reterr);
}
