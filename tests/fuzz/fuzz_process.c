/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz_process.h"
#include "core/str.h"
#include "pfm/helper_process.h"
#include "pfm/protocol.h"
#include <string.h>
#include <sys/socket.h>

struct pmuq_str fuzz_pfm_sends;

/* The helper's end of the socket, and what it has not sent yet. */
static int helper_fd = -1;
static struct pmuq_str unsent;

static void send_part(size_t n)
{
	FUZZ_LAW(write(helper_fd, unsent.p, n) == (ssize_t)n);
	unsent = str_part(unsent, n, unsent.n);
}

/* The HELLO frame, or all if there is none. */
static size_t first_frame(struct pmuq_str bytes)
{
	struct pq_pfm_header header;

	if (bytes.n < sizeof(header))
		return bytes.n;
	memcpy(&header, bytes.p, sizeof(header));
	return header.bytes < bytes.n - sizeof(header) ? sizeof(header) + header.bytes : bytes.n;
}

static void close_helper(void)
{
	if (helper_fd >= 0)
		close(helper_fd);
	helper_fd = -1;
}

int pq_process_start(const char *path, struct pq_process *ret)
{
	int ends[2];

	(void)path;
	close_helper();
	FUZZ_LAW(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	helper_fd = ends[1];
	unsent = fuzz_pfm_sends;
	send_part(first_frame(unsent));
	if (!unsent.n)
		close_helper();
	*ret = (struct pq_process){ .fd = ends[0], .pid_fd = -1 };
	return 0;
}

bool pq_process_is_mine(const struct pq_process *process)
{
	return process->fd >= 0;
}

int pq_process_stop(struct pq_process *process)
{
	if (process->fd >= 0)
		close(process->fd);
	close_helper();
	*process = PQ_PROCESS_NONE;
	return -1;
}

/* A request: the helper sends the rest, and ends. */
ssize_t __wrap_send(int fd, const void *bytes, size_t n, int flags)
{
	(void)fd;
	(void)bytes;
	(void)flags;
	if (helper_fd >= 0)
		send_part(unsent.n);
	close_helper();
	return (ssize_t)n;
}

void fuzz_pfm_text(struct pmuq_str text)
{
	FUZZ_LAW(text.p && text.p[text.n] == '\0' && strlen(text.p) == text.n);
	for (size_t i = 0; i < text.n; i++)
		FUZZ_LAW((unsigned char)text.p[i] >= ' ' && text.p[i] != 0x7f);
}

void fuzz_pfm_encoding(const struct pmuq_pfm_encoding *encoding)
{
	uint64_t value;

	FUZZ_LAW(!encoding->error == (encoding->n_codes > 0));
	if (encoding->error)
		fuzz_error(-(int)encoding->error->code, encoding->error);
	for (size_t i = 0; i < encoding->n_codes; i++) {
		const struct pmuq_pfm_code *code = pmuq_pfm_encoding_code(encoding, i);

		fuzz_pfm_text(code->sysfs);
		fuzz_pfm_text(code->pmu);
		fuzz_pfm_text(code->event);
		fuzz_pfm_text(code->canonical);
		fuzz_pfm_text(code->terms);
		FUZZ_LAW(code->scope <= PMUQ_PFM_GENERIC);
	}
	for (unsigned m = 0; m < 40; m++)
		pmuq_pfm_encoding_modifier(encoding, (enum pmuq_pfm_modifier)m, &value);
}
