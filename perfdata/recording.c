/* SPDX-License-Identifier: MIT */
/* Opens and frees a recording. recording_access.c has the functions that read it. */
#include "perfdata/recording.h"
#include <errno.h>
#include <fcntl.h>
#include <pmuq/pmuq.h>
#include <sys/stat.h>

/* 2,000 events on 1,000 CPUs take a third of it. It bounds the memory that hostile input can take.
 */
#define RECORDING_MAX_BYTES ((size_t)128 << 20)

/* The header of a stream: the magic and its own size. The header of a file is longer. */
#define MAGIC_BYTES 8
#define STREAM_HEADER_BYTES 16

enum magic {
	MAGIC_NONE,
	MAGIC_OLD,
	MAGIC_LITTLE,
	MAGIC_BIG,
};

/* The magic is a number: a file of the other byte order has it reversed. */
static enum magic find_magic(const void *bytes, size_t n)
{
	static const struct {
		char text[MAGIC_BYTES + 1];
		enum magic magic;
	} magics[] = {
		{ "PERFILE2", MAGIC_LITTLE },
		{ "2ELIFREP", MAGIC_BIG },
		{ "PERFFILE", MAGIC_OLD },
		{ "ELIFFREP", MAGIC_OLD },
	};

	for (size_t i = 0; n >= MAGIC_BYTES && i < COUNT(magics); i++)
		if (memcmp(bytes, magics[i].text, MAGIC_BYTES) == 0)
			return magics[i].magic;
	return MAGIC_NONE;
}

PQ_API bool pmuq_recording_is(const void *bytes, size_t n)
{
	return find_magic(bytes, n) != MAGIC_NONE;
}

PQ_API void pmuq_recording_free(struct pmuq_recording *recording)
{
	if (!recording)
		return;
	for (size_t i = 0; i < recording->problems.n; i++)
		pmuq_error_free(recording->problems.v[i]);
	pq_arena_clear(&recording->arena);
	free(recording);
}

static void free_recordingp(struct pmuq_recording **p)
{
	pmuq_recording_free(*p);
}

int pq_recording_full(const struct pmuq_recording *recording, const struct pq_input *input,
		      uint64_t offset, struct pmuq_error **reterr)
{
	if (recording->arena.is_refused)
		return pq_fail_memory(reterr);
	return pq_input_fail(input, PMUQ_E_LARGE_RECORDING, offset, reterr,
			     "the recording takes more than %zu MiB of memory up to here",
			     RECORDING_MAX_BYTES >> 20);
}

int pq_recording_note(struct pmuq_recording *recording, int r, struct pmuq_error *error,
		      struct pmuq_error **reterr)
{
	if (r == -PMUQ_E_MEMORY || !error) {
		pmuq_error_free(error);
		return pq_fail_memory(reterr);
	}
	if (recording->problems.n == PQ_PROBLEMS_MAX ||
	    !pq_vec_push_in(&recording->arena, &recording->problems, error))
		pmuq_error_free(error);
	return 0;
}

struct pmuq_feature *pq_feature_add(struct pmuq_recording *recording, unsigned number,
				    uint64_t bytes)
{
	struct pmuq_feature *feature = pq_vec_add_in(&recording->arena, &recording->features);

	if (feature)
		*feature = (struct pmuq_feature){ .size = sizeof(*feature),
						  .number = number,
						  .bytes = bytes,
						  .name = str_of(pq_feature_name(number)) };
	return feature;
}

const struct pmuq_feature *pq_recording_find(const struct pmuq_recording *recording,
					     unsigned number)
{
	for (size_t i = 0; i < recording->features.n; i++) {
		const struct pmuq_feature *feature = pq_recording_feature(recording, i);

		if (feature->number == number && feature->n_values)
			return feature;
	}
	return NULL;
}

/* ------------------------------------------------------------------------------------- opening */

static int fail_magic(const struct pq_input *input, enum magic magic, struct pmuq_error **reterr)
{
	int r;

	if (magic == MAGIC_OLD)
		return pq_input_fail(
			input, PMUQ_E_OLD_RECORDING, 0, reterr,
			"'%s' has the first version of the perf.data format, which perf "
			"has not written since 2012",
			input->name);
	r = pq_input_fail(input, PMUQ_E_NOT_RECORDING, 0, reterr,
			  "'%s' is not a perf.data file: it does not begin with PERFILE2",
			  input->name);
	return r;
}

static int read_all(struct pmuq_recording *recording, struct pq_input *input,
		    struct pmuq_error **reterr)
{
	const unsigned char *bytes;
	enum magic magic;
	size_t n;
	int r = pq_input_peek(input, STREAM_HEADER_BYTES, &bytes, &n, reterr);

	if (r < 0)
		return r;
	magic = find_magic(bytes, n);
	if (magic != MAGIC_LITTLE && magic != MAGIC_BIG)
		return fail_magic(input, magic, reterr);
	recording->content.is_big_endian = magic == MAGIC_BIG;
	recording->is_other_order =
		recording->content.is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (n < STREAM_HEADER_BYTES)
		return pq_input_fail_cut(input, 0, STREAM_HEADER_BYTES, "the header", reterr);
	recording->content.is_stream =
		pq_load64(bytes + MAGIC_BYTES, recording->is_other_order) == STREAM_HEADER_BYTES;
	r = recording->content.is_stream ? pq_stream_read(recording, input, reterr)
					 : pq_file_read(recording, input, reterr);
	if (r >= 0)
		r = pq_recording_finalize(recording, input, reterr);
	recording->content.bytes_read = input->bytes_read;
	pq_recording_complete(recording);
	return r;
}

PQ_API int pmuq_recording_open_fd(int fd, const char *name, struct pmuq_recording **ret,
				  struct pmuq_error **reterr)
{
	cleanup(free_recordingp) struct pmuq_recording *recording = calloc(1, sizeof(*recording));
	cleanup(pq_input_close) struct pq_input input = { 0 };
	int r;

	if (!recording)
		return pq_fail_memory(reterr);
	pq_arena_init(&recording->arena, NULL, 0, RECORDING_MAX_BYTES);
	r = pq_input_open(&input, fd, name, reterr);
	if (r >= 0)
		r = read_all(recording, &input, reterr);
	if (r < 0)
		return r;
	*ret = move(recording);
	return 0;
}

static int fail_open(const char *path, struct pmuq_error **reterr)
{
	int errnum = errno;
	int r = pq_fail(reterr, PMUQ_E_RECORDING_UNREADABLE, "cannot open '%s': %s", path,
			strerror(errnum));

	pq_error_origin(reterr, str_of(path));
	pq_error_errno(reterr, errnum);
	return r;
}

/* In a directory that perf wrote, the file `data` has the header. */
static int open_within(int dir)
{
	return openat(dir, "data", O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

static int fail_directory(const char *path, struct pmuq_error **reterr)
{
	int errnum = errno;
	int r = pq_fail(reterr, PMUQ_E_RECORDING_UNREADABLE,
			"'%s' is a directory, and no recording is in it: its file data: %s", path,
			strerror(errnum));

	pq_error_origin(reterr, str_of(path));
	pq_error_errno(reterr, errnum);
	return r;
}

PQ_API int pmuq_recording_open(const char *path, struct pmuq_recording **ret,
			       struct pmuq_error **reterr)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	auto_close int within = -1;
	struct stat about;

	if (fd < 0)
		return fail_open(path, reterr);
	if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode)) {
		within = open_within(fd);
		if (within < 0)
			return fail_directory(path, reterr);
	}
	return pmuq_recording_open_fd(within >= 0 ? within : fd, path, ret, reterr);
}
