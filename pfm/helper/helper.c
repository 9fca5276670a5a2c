/* SPDX-License-Identifier: MIT */
/*
 * pmuq-pfm: libpfm4 in a process of its own, because of its globals, its environment variables and
 * its slow start. Reads requests from stdin and writes results to stdout, as protocol.h describes,
 * until the other side closes the socket. It is not for interactive use, and opens no file.
 */
#include "pfm/helper/helper.h"
#include "pfm/helper/pfm_release.h"
#include <errno.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>

#define READ_BYTES ((size_t)64 << 10)

static bool write_all(const struct pq_buf *out)
{
	size_t done = 0;

	while (!out->failed && done < out->n) {
		ssize_t n = write(STDOUT_FILENO, out->p + done, out->n - done);

		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return !out->failed;
}

/* Reads until `in` holds `want` bytes; it may then hold more. */
static bool read_more(struct pq_buf *in, size_t want)
{
	while (in->n < want) {
		char bytes[READ_BYTES];
		ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		if (n > 0)
			pq_buf_add(in, (struct pmuq_str){ .p = bytes, .n = (size_t)n });
		if (in->failed)
			return false;
	}
	return true;
}

/* Handles one request; bytes after it stay in `in`. False at the end. */
static bool serve(struct pq_pfm_tables *tables, struct pq_buf *in, struct pq_buf *out)
{
	struct pq_pfm_header header;
	struct pq_wire wire;
	size_t whole;

	if (!read_more(in, sizeof(header)))
		return false;
	memcpy(&header, in->p, sizeof(header));
	if (header.magic != PQ_PFM_MAGIC || header.bytes > PQ_PFM_FRAME_MAX_BYTES)
		return false;
	whole = sizeof(header) + header.bytes;
	if (!read_more(in, whole))
		return false;
	wire = (struct pq_wire){ .p = in->p + sizeof(header), .end = in->p + whole };
	out->n = 0;
	if (!pq_helper_handle(tables, &header, &wire, out) || !write_all(out))
		return false;
	in->n -= whole;
	memmove(in->p, in->p + whole, in->n);
	return true;
}

static bool send_hello(struct pq_buf *out)
{
	cleanup(pq_buf_free) struct pq_buf file = PQ_BUF_NULL;
	cleanup(pq_buf_free) struct pq_buf build_id = PQ_BUF_NULL;
	size_t begun = pq_wire_begin(out);
	const void *function;

	memcpy(&function, &(int (*)(void)){ pfm_initialize }, sizeof(function));
	pq_pfm_library(function, &file, &build_id);
	pq_wire_text(out, pq_buf_str(&file));
	pq_wire_text(out, pq_buf_str(&build_id));
	pq_wire_end(out, begun, PQ_PFM_HELLO, 1);
	return write_all(out);
}

int main(void)
{
	cleanup(pq_buf_free) struct pq_buf in = PQ_BUF_NULL;
	cleanup(pq_buf_free) struct pq_buf out = PQ_BUF_NULL;
	struct pq_pfm_tables tables = { 0 };

	if (isatty(STDIN_FILENO)) {
		fputs("pmuq-pfm is run by pmuq; it is not a command\n", stderr);
		return 2;
	}
	if (!pq_pfm_tables_open(&tables) || !send_hello(&out)) {
		pq_arena_clear(&tables.arena);
		return 1;
	}
	while (serve(&tables, &in, &out))
		;
	pq_arena_clear(&tables.arena);
	pfm_terminate();
	return 0;
}
