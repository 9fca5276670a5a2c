/* SPDX-License-Identifier: MIT */
/*
 * The API of a recording: opens it, which reads all of it, frees it, and returns its records.
 * recording_file.c and recording_stream.c read the formats. After opening, the file is no longer
 * needed: everything was copied.
 */
#include "perfdata/recording.h"
#include "core/freep.h"
#include <errno.h>
#include <fcntl.h>
#include <pmuq/pmuq.h>
#include <sys/stat.h>

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

void pq_recording_full(const struct pmuq_recording *recording, uint64_t offset)
{
	if (recording->arena.is_refused)
		pq_input_fail_memory(recording->input);
	else
		pq_input_fail(recording->input, PMUQ_E_LARGE_RECORDING, offset,
			      "the recording takes more than %zu MiB of memory up to here",
			      PQ_RECORDING_MAX_BYTES >> 20);
}

void pq_recording_note(struct pmuq_recording *recording)
{
	struct pq_input *input = recording->input;
	if (input->r == 0 || input->r == -PMUQ_E_MEMORY)
		return;
	if (recording->problems.n == PQ_PROBLEMS_MAX ||
	    !pq_vec_push_in(&recording->arena, &recording->problems, input->error))
		pmuq_error_free(input->error);
	input->error = NULL;
	input->r = 0;
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

PQ_API const struct pmuq_recorded *pmuq_recording_content(const struct pmuq_recording *recording)
{
	return &recording->content;
}

PQ_API const struct pmuq_error *pmuq_recording_problem(const struct pmuq_recording *recording,
						       size_t index)
{
	return index < recording->problems.n ? recording->problems.v[index] : NULL;
}

PQ_API const struct pmuq_recorded_event *
pmuq_recording_event(const struct pmuq_recording *recording, size_t index)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, index);

	return found ? &found->record : NULL;
}

PQ_API const struct pmuq_feature *pmuq_recording_feature(const struct pmuq_recording *recording,
							 size_t index)
{
	return pq_recording_feature(recording, index);
}

/* ------------------------------------------------------------------------------------- opening */

static void fail_magic(struct pq_input *input, enum magic magic)
{
	if (magic == MAGIC_OLD)
		pq_input_fail(input, PMUQ_E_OLD_RECORDING, 0,
			      "'%s' has the first version of the perf.data format, which perf has "
			      "not written since 2012",
			      input->name);
	else
		pq_input_fail(input, PMUQ_E_NOT_RECORDING, 0,
			      "'%s' is not a perf.data file: it does not begin with PERFILE2",
			      input->name);
}

/* The arrays do not grow any more, so the records may point into them. */
static void complete(struct pmuq_recording *recording)
{
	struct pmuq_recorded *content = &recording->content;

	content->size = sizeof(*content);
	content->n_events = recording->events.n;
	content->n_features = recording->features.n;
	content->n_problems = recording->problems.n;
	for (size_t i = 0; i < recording->events.n; i++) {
		struct pq_recorded_event *event = pq_recording_event(recording, i);
		struct pmuq_recorded_event *record = &event->record;

		record->size = sizeof(*record);
		record->attr = &event->attr;
		if (!record->name.n)
			record->name = (struct pmuq_str){ 0 };
		if (!record->group_name.n)
			record->group_name = (struct pmuq_str){ 0 };
		if (!record->unit.p)
			record->unit = STR("");
		if (!record->scale.p)
			record->scale = STR("1");
	}
}

/* The size in the header distinguishes a stream from a file. */
static void read_all(struct pmuq_recording *recording)
{
	struct pq_input *input = recording->input;
	struct pmuq_recorded *content = &recording->content;
	size_t n;
	const unsigned char *bytes = pq_input_peek(input, STREAM_HEADER_BYTES, &n);
	enum magic magic = find_magic(bytes, n);

	if (magic != MAGIC_LITTLE && magic != MAGIC_BIG)
		fail_magic(input, magic);
	else if (n < STREAM_HEADER_BYTES)
		pq_input_fail_cut(input, 0, STREAM_HEADER_BYTES, "the header");
	if (input->r < 0)
		return;
	content->is_big_endian = magic == MAGIC_BIG;
	input->is_other_order = content->is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	content->is_stream = pq_load64(input, bytes + MAGIC_BYTES) == STREAM_HEADER_BYTES;
	if (content->is_stream)
		pq_stream_read(recording);
	else
		pq_file_read(recording);
	pq_recording_finalize(recording);
	content->bytes_read = input->bytes_read;
	complete(recording);
}

PQ_API int pmuq_recording_open_fd(int fd, const char *name, struct pmuq_recording **ret,
				  struct pmuq_error **reterr)
{
	cleanup(pmuq_recording_freep) struct pmuq_recording *recording =
		calloc(1, sizeof(*recording));
	cleanup(pq_input_close) struct pq_input input = { 0 };

	if (!recording)
		return pq_fail_memory(reterr);
	recording->arena = PQ_ARENA(PQ_RECORDING_MAX_BYTES);
	pq_input_open(&input, fd, name);
	recording->input = &input;
	if (input.r == 0)
		read_all(recording);
	recording->input = NULL;
	if (input.r == 0)
		*ret = move(recording);
	else if (reterr)
		*reterr = move(input.error);
	return input.r;
}

static int fail_open(const char *path, bool is_directory, struct pmuq_error **reterr)
{
	int errnum = errno;
	int r = pq_fail(reterr, PMUQ_E_RECORDING_UNREADABLE,
			is_directory ? "'%s' is a directory, and no recording is in it: its file "
				       "data: %s"
				     : "cannot open '%s': %s",
			path, strerror(errnum));

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
		return fail_open(path, false, reterr);
	if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode)) {
		/* In a directory that perf wrote, the file `data` has the header. */
		within = openat(fd, "data", O_RDONLY | O_CLOEXEC | O_NOCTTY);
		if (within < 0)
			return fail_open(path, true, reterr);
	}
	return pmuq_recording_open_fd(within >= 0 ? within : fd, path, ret, reterr);
}
