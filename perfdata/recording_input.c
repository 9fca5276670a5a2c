/* SPDX-License-Identifier: MIT */
/*
 * Reads with pread(2) from regular files and with read(2) from everything else, through one window
 * of bytes. The callers know what the bytes mean.
 */
#include "perfdata/recording_input.h"
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#define WINDOW_BYTES (2 * PQ_PEEK_MAX_BYTES)
#define FIRST_READ_BYTES ((size_t)512)
/* More than the header or any feature that pmuq reads. */
#define LOAD_MAX_BYTES ((uint64_t)64 << 20)
/* The most that is allocated before the file is known to have it. */
#define FIRST_LOAD_BYTES ((uint64_t)1 << 20)

int pq_input_fail(const struct pq_input *input, enum pmuq_code code, uint64_t offset,
		  struct pmuq_error **reterr, const char *format, ...)
{
	va_list args;
	uint32_t at = offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX;
	int r;

	va_start(args, format);
	r = pq_fail_args(reterr, code, format, args);
	va_end(args);
	pq_error_in(reterr, "at byte %" PRIu64 ": ", offset);
	pq_error_at(reterr, (struct pq_span){ .offset = at });
	pq_error_origin(reterr, str_of(input->name));
	return r;
}

int pq_input_fail_cut(const struct pq_input *input, uint64_t offset, uint64_t wanted,
		      const char *what, struct pmuq_error **reterr)
{
	uint64_t end = input->is_regular ? input->size : input->at + (input->until - input->from);

	return pq_input_fail(input, PMUQ_E_CUT_RECORDING, offset, reterr,
			     "%s should take %" PRIu64 " bytes here, but the file ends at byte "
			     "%" PRIu64,
			     what, wanted, end);
}

static int fail_read(const struct pq_input *input, int errnum, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_RECORDING_UNREADABLE, "cannot read '%s': %s", input->name,
			strerror(errnum));

	pq_error_origin(reterr, str_of(input->name));
	pq_error_errno(reterr, errnum);
	return r;
}

int pq_input_open(struct pq_input *input, int fd, const char *name, struct pmuq_error **reterr)
{
	struct stat about;
	off_t start;

	*input = (struct pq_input){ .fd = fd, .name = name, .read_bytes = FIRST_READ_BYTES };
	if (fstat(fd, &about) < 0)
		return fail_read(input, errno, reterr);
	start = lseek(fd, 0, SEEK_CUR);
	input->is_regular = S_ISREG(about.st_mode) && start >= 0;
	if (input->is_regular) {
		input->start = (uint64_t)start;
		input->size = about.st_size > start ? (uint64_t)(about.st_size - start) : 0;
	}
	input->window = malloc(WINDOW_BYTES);
	return input->window ? 0 : pq_fail_memory(reterr);
}

void pq_input_close(struct pq_input *input)
{
	free(input->window);
	pq_buf_free(&input->kept);
	*input = (struct pq_input){ 0 };
}

/* Reads up to n bytes: at the offset of a regular file, else the next ones. Returns -errno on
 * failure. */
static ssize_t read_some(struct pq_input *input, void *to, size_t n, uint64_t offset)
{
	ssize_t got;

	do {
		got = input->is_regular ? pread(input->fd, to, n, (off_t)(input->start + offset))
					: read(input->fd, to, n);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	input->bytes_read += (uint64_t)got;
	return got;
}

static int keep(struct pq_input *input, const unsigned char *bytes, size_t n,
		struct pmuq_error **reterr)
{
	if (!input->keeps || input->is_regular)
		return 0;
	if (input->kept.n + n > LOAD_MAX_BYTES)
		return pq_input_fail(input, PMUQ_E_LARGE_RECORDING, input->at, reterr,
				     "the attrs of a file that is read from a pipe must be within "
				     "its first 64 MiB");
	pq_buf_add(&input->kept, (struct pmuq_str){ .p = (const char *)bytes, .n = n });
	return input->kept.failed ? pq_fail_memory(reterr) : 0;
}

int pq_input_start_keeping(struct pq_input *input, struct pmuq_error **reterr)
{
	input->keeps = true;
	return keep(input, input->window + input->from, input->until - input->from, reterr);
}

/* Reads once into the window. Returns 1 at the end of the file. */
static int fill(struct pq_input *input, struct pmuq_error **reterr)
{
	size_t n = input->until - input->from;
	ssize_t got;
	int r;

	memmove(input->window, input->window + input->from, n);
	input->from = 0;
	input->until = n;
	got = read_some(input, input->window + n,
			input->read_bytes < WINDOW_BYTES - n ? input->read_bytes : WINDOW_BYTES - n,
			input->at + n);
	input->read_bytes = WINDOW_BYTES;
	if (got < 0)
		return fail_read(input, (int)-got, reterr);
	r = keep(input, input->window + n, (size_t)got, reterr);
	input->until += (size_t)got;
	return r < 0 ? r : !got;
}

int pq_input_peek(struct pq_input *input, size_t n, const unsigned char **ret, size_t *ret_n,
		  struct pmuq_error **reterr)
{
	int r = 0;

	while (r == 0 && input->until - input->from < n)
		r = fill(input, reterr);
	*ret = input->window + input->from;
	*ret_n = input->until - input->from < n ? input->until - input->from : n;
	return r < 0 ? r : 0;
}

/* Skips bytes of a regular file without reading them. */
static void jump(struct pq_input *input, uint64_t n)
{
	uint64_t left = input->size > input->at ? input->size - input->at : 0;

	input->from = input->until = 0;
	input->at += n < left ? n : left;
}

int pq_input_skip(struct pq_input *input, uint64_t n, struct pmuq_error **reterr)
{
	while (n) {
		uint64_t here = input->until - input->from;
		int r;

		here = here < n ? here : n;
		input->from += here;
		input->at += here;
		n -= here;
		if (!n)
			break;
		if (input->is_regular) {
			jump(input, n);
			break;
		}
		r = fill(input, reterr);
		if (r != 0)
			return r < 0 ? r : 0;
	}
	return 0;
}

/* Copies the next n bytes, fewer at the end of the file. */
static int copy_forward(struct pq_input *input, unsigned char *to, uint64_t n, uint64_t *ret_n,
			struct pmuq_error **reterr)
{
	*ret_n = 0;
	while (*ret_n < n) {
		uint64_t want = n - *ret_n;
		const unsigned char *bytes;
		size_t got;
		int r;

		want = want < PQ_PEEK_MAX_BYTES ? want : PQ_PEEK_MAX_BYTES;
		r = pq_input_peek(input, want, &bytes, &got, reterr);
		if (r < 0)
			return r;
		if (!got)
			break;
		memcpy(to + *ret_n, bytes, got);
		*ret_n += got;
		input->from += got;
		input->at += got;
	}
	return 0;
}

static int copy_at(struct pq_input *input, uint64_t offset, unsigned char *to, uint64_t n,
		   uint64_t *ret_n, struct pmuq_error **reterr)
{
	ssize_t got = 1;

	if (!input->is_regular)
		return copy_forward(input, to, n, ret_n, reterr);
	for (*ret_n = 0; *ret_n < n && got > 0; *ret_n += (uint64_t)(got > 0 ? got : 0))
		got = read_some(input, to + *ret_n, n - *ret_n, offset + *ret_n);
	return got < 0 ? fail_read(input, (int)-got, reterr) : 0;
}

/* Doubles the buffer as bytes arrive, so that a wrong length costs no more memory than the file
 * has. */
static int load_in_steps(struct pq_input *input, uint64_t offset, uint64_t n, const char *what,
			 unsigned char **ret, struct pmuq_error **reterr)
{
	auto_free unsigned char *bytes = NULL;
	uint64_t have = 0, size = n < FIRST_LOAD_BYTES ? n : FIRST_LOAD_BYTES;

	for (;;) {
		unsigned char *grown = realloc(bytes, size ? size : 1);
		uint64_t got;
		int r;

		if (!grown)
			return pq_fail_memory(reterr);
		bytes = grown;
		r = copy_at(input, offset + have, bytes + have, size - have, &got, reterr);
		if (r < 0)
			return r;
		have += got;
		if (have < size)
			return pq_input_fail_cut(input, offset, n, what, reterr);
		if (have == n)
			break;
		size = n < 2 * size ? n : 2 * size;
	}
	*ret = move(bytes);
	return 0;
}

static int load_kept(const struct pq_input *input, uint64_t offset, uint64_t n, unsigned char **ret,
		     struct pmuq_error **reterr)
{
	unsigned char *bytes = malloc(n ? n : 1);

	if (!bytes)
		return pq_fail_memory(reterr);
	memcpy(bytes, input->kept.p + offset, n);
	*ret = bytes;
	return 0;
}

/* Skips forward in a pipe to an offset. */
static int go_to(struct pq_input *input, uint64_t offset, const char *what,
		 struct pmuq_error **reterr)
{
	if (offset < input->at)
		return pq_input_fail(input, PMUQ_E_RECORDING_ORDER, offset, reterr,
				     "%s come before byte %" PRIu64
				     ", which was read already; a pipe cannot be read twice",
				     what, input->at);
	return pq_input_skip(input, offset - input->at, reterr);
}

/* While bytes are kept: reads up to the offset `until`, or to the end. */
static int keep_until(struct pq_input *input, uint64_t until, struct pmuq_error **reterr)
{
	int r = 0;

	while (r == 0 && input->keeps && input->kept.n < until) {
		r = fill(input, reterr);
		input->from = input->until;
		input->at = input->kept.n;
	}
	return r < 0 ? r : 0;
}

int pq_input_load(struct pq_input *input, uint64_t offset, uint64_t n, const char *what,
		  unsigned char **ret, struct pmuq_error **reterr)
{
	int r;

	if (offset > INT64_MAX || n > INT64_MAX - offset ||
	    (input->is_regular && offset + n > input->size))
		return pq_input_fail_cut(input, offset, n, what, reterr);
	if (n > LOAD_MAX_BYTES)
		return pq_input_fail(input, PMUQ_E_LARGE_RECORDING, offset, reterr,
				     "%s would take %" PRIu64 " bytes; the limit is 64 MiB", what,
				     n);
	if (input->is_regular)
		return load_in_steps(input, offset, n, what, ret, reterr);
	r = keep_until(input, offset + n, reterr);
	if (r < 0)
		return r;
	if (offset + n <= input->kept.n)
		return load_kept(input, offset, n, ret, reterr);
	r = go_to(input, offset, what, reterr);
	if (r < 0)
		return r;
	return load_in_steps(input, offset, n, what, ret, reterr);
}
