/* SPDX-License-Identifier: MIT */
/*
 * Reads with pread(2) from regular files and with read(2) from everything else, through one window
 * of bytes. The callers interpret the bytes.
 */
#include "perfdata/recording_input.h"
#include "core/limits.h"
#include <errno.h>
#include <inttypes.h>
#include <pmuq/pmuq.h>
#include <sys/stat.h>

#define WINDOW_BYTES (2 * PQ_PEEK_MAX_BYTES)
/* The header of a file fits, and most of a file is never needed. */
#define FIRST_READ_BYTES ((size_t)512)
/* The maximum that is allocated before the file is known to have it. */
#define FIRST_LOAD_BYTES ((uint64_t)1 << 20)

void pq_input_fail(struct pq_input *input, enum pmuq_code code, uint64_t offset, const char *format,
		   ...)
{
	va_list args;
	uint32_t at = offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX;

	if (input->r < 0)
		return;
	va_start(args, format);
	input->r = pq_fail_args(&input->error, code, format, args);
	va_end(args);
	pq_error_in(&input->error, "at byte %" PRIu64 ": ", offset);
	pq_error_at(&input->error, (struct pq_span){ .offset = at });
	pq_error_origin(&input->error, str_of(input->name));
}

void pq_input_fail_cut(struct pq_input *input, uint64_t offset, uint64_t wanted, const char *what)
{
	uint64_t end = input->is_regular ? input->size : input->at + (input->until - input->from);

	pq_input_fail(input, PMUQ_E_CUT_RECORDING, offset,
		      "%s should take %" PRIu64 " bytes here, but the file ends at byte %" PRIu64,
		      what, wanted, end);
}

void pq_input_fail_memory(struct pq_input *input)
{
	if (input->r == 0)
		input->r = pq_fail_memory(&input->error);
}

static void fail_read(struct pq_input *input, int errnum)
{
	if (input->r < 0)
		return;
	input->r = pq_fail(&input->error, PMUQ_E_RECORDING_UNREADABLE, "cannot read '%s': %s",
			   input->name, strerror(errnum));
	pq_error_origin(&input->error, str_of(input->name));
	pq_error_errno(&input->error, errnum);
}

void pq_input_open(struct pq_input *input, int fd, const char *name)
{
	struct stat about;
	off_t start;

	*input = (struct pq_input){ .fd = fd, .name = name, .read_bytes = FIRST_READ_BYTES };
	if (fstat(fd, &about) < 0) {
		fail_read(input, errno);
		return;
	}
	start = lseek(fd, 0, SEEK_CUR);
	input->is_regular = S_ISREG(about.st_mode) && start >= 0;
	if (input->is_regular) {
		input->start = (uint64_t)start;
		input->size = about.st_size > start ? (uint64_t)(about.st_size - start) : 0;
	}
	input->window = malloc(WINDOW_BYTES);
	if (!input->window)
		pq_input_fail_memory(input);
}

void pq_input_close(struct pq_input *input)
{
	pmuq_error_free(input->error);
	free(input->window);
	pq_buf_free(&input->kept);
	*input = (struct pq_input){ 0 };
}

/* Reads up to n bytes: at the offset of a regular file, else the next ones. 0 at the end, and after
 * an error. */
static size_t read_some(struct pq_input *input, void *to, size_t n, uint64_t offset)
{
	ssize_t got;

	if (input->r < 0)
		return 0;
	do {
		got = input->is_regular ? pread(input->fd, to, n, (off_t)(input->start + offset))
					: read(input->fd, to, n);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		fail_read(input, errno);
		return 0;
	}
	input->bytes_read += (uint64_t)got;
	return (size_t)got;
}

/* What was read from a pipe, while it is kept; a regular file can be read again. */
static void keep(struct pq_input *input, const unsigned char *bytes, size_t n)
{
	if (!input->keeps || input->is_regular)
		return;
	if (input->kept.n + n > PQ_FEATURE_MAX_BYTES)
		pq_input_fail(input, PMUQ_E_LARGE_RECORDING, input->at,
			      "the attrs of a file that is read from a pipe must be within its "
			      "first 64 MiB");
	else
		pq_buf_add(&input->kept, (struct pmuq_str){ .p = (const char *)bytes, .n = n });
	if (input->kept.failed)
		pq_input_fail_memory(input);
}

void pq_input_start_keeping(struct pq_input *input)
{
	input->keeps = true;
	keep(input, input->window + input->from, input->until - input->from);
}

/* Reads once into the window. False at the end of the file, and after an error. */
static bool fill(struct pq_input *input)
{
	size_t n = input->until - input->from, space = WINDOW_BYTES - n, got;

	if (input->r < 0)
		return false;
	memmove(input->window, input->window + input->from, n);
	input->from = 0;
	input->until = n;
	got = read_some(input, input->window + n,
			input->read_bytes < space ? input->read_bytes : space, input->at + n);
	input->read_bytes = WINDOW_BYTES;
	keep(input, input->window + n, got);
	input->until += got;
	return got && input->r == 0;
}

const unsigned char *pq_input_peek(struct pq_input *input, size_t n, size_t *ret_n)
{
	while (input->until - input->from < n && fill(input))
		;
	*ret_n = input->until - input->from < n ? input->until - input->from : n;
	if (input->r < 0)
		*ret_n = 0;
	return input->window + input->from;
}

static void take(struct pq_input *input, uint64_t n)
{
	input->from += n;
	input->at += n;
}

void pq_input_skip(struct pq_input *input, uint64_t n)
{
	while (input->r == 0 && n) {
		uint64_t here = input->until - input->from;
		uint64_t left = input->size > input->at + here ? input->size - input->at - here : 0;

		here = here < n ? here : n;
		take(input, here);
		n -= here;
		/* Bytes of a regular file are skipped without reading them. */
		if (n && input->is_regular) {
			input->from = input->until = 0;
			input->at += n < left ? n : left;
			return;
		}
		if (n && !fill(input))
			return;
	}
}

/* Copies up to n bytes: from the offset of a regular file, else the next ones. Returns how many:
 * fewer at the end of the file. */
static uint64_t copy(struct pq_input *input, uint64_t offset, unsigned char *to, uint64_t n)
{
	uint64_t done = 0;
	size_t got = 1;

	while (done < n && got) {
		if (input->is_regular) {
			got = read_some(input, to + done, n - done, offset + done);
		} else {
			uint64_t want = n - done < PQ_PEEK_MAX_BYTES ? n - done : PQ_PEEK_MAX_BYTES;
			const unsigned char *bytes = pq_input_peek(input, want, &got);

			memcpy(to + done, bytes, got);
			take(input, got);
		}
		done += got;
	}
	return done;
}

/* Doubles the buffer as bytes arrive, so that a wrong length costs no more memory than the file
 * has. */
static unsigned char *load_in_steps(struct pq_input *input, uint64_t offset, uint64_t n,
				    const char *what)
{
	auto_free unsigned char *bytes = NULL;
	uint64_t have = 0, size = n < FIRST_LOAD_BYTES ? n : FIRST_LOAD_BYTES;

	for (;;) {
		unsigned char *grown = realloc(bytes, size ? size : 1);

		if (!grown) {
			pq_input_fail_memory(input);
			return NULL;
		}
		bytes = grown;
		have += copy(input, offset + have, bytes + have, size - have);
		if (have < size)
			pq_input_fail_cut(input, offset, n, what);
		if (input->r < 0)
			return NULL;
		if (have == n)
			return move(bytes);
		size = n < 2 * size ? n : 2 * size;
	}
}

static unsigned char *load_kept(struct pq_input *input, uint64_t offset, uint64_t n)
{
	unsigned char *bytes = malloc(n ? n : 1);

	if (bytes)
		memcpy(bytes, input->kept.p + offset, n);
	else
		pq_input_fail_memory(input);
	return bytes;
}

/* Skips forward in a pipe to an offset. */
static void go_to(struct pq_input *input, uint64_t offset, const char *what)
{
	if (offset < input->at)
		pq_input_fail(input, PMUQ_E_RECORDING_ORDER, offset,
			      "%s come before byte %" PRIu64
			      ", which was read already; a pipe cannot be read twice",
			      what, input->at);
	else
		pq_input_skip(input, offset - input->at);
}

/* While bytes are kept: reads up to the offset `until`, or to the end. */
static void keep_until(struct pq_input *input, uint64_t until)
{
	bool more = true;

	while (more && input->keeps && input->kept.n < until) {
		more = fill(input);
		input->from = input->until;
		input->at = input->kept.n;
	}
}

/* The end is checked before anything is allocated: offsets and sizes come from the file. */
unsigned char *pq_input_load(struct pq_input *input, uint64_t offset, uint64_t n, const char *what)
{
	if (offset > INT64_MAX || n > INT64_MAX - offset ||
	    (input->is_regular && offset + n > input->size))
		pq_input_fail_cut(input, offset, n, what);
	else if (n > PQ_FEATURE_MAX_BYTES)
		pq_input_fail(input, PMUQ_E_LARGE_RECORDING, offset,
			      "%s would take %" PRIu64 " bytes; the limit is 64 MiB", what, n);
	if (input->r < 0)
		return NULL;
	if (!input->is_regular) {
		keep_until(input, offset + n);
		if (input->r == 0 && offset + n <= input->kept.n)
			return load_kept(input, offset, n);
		go_to(input, offset, what);
	}
	return input->r == 0 ? load_in_steps(input, offset, n, what) : NULL;
}
