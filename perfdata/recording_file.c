/* SPDX-License-Identifier: MIT */
/*
 * Reads a perf.data file: the header has the locations of the attrs and of the samples; the table
 * of features comes right after the samples, which are not read.
 */
#include "perfdata/recording.h"
#include <inttypes.h>

/* Offsets in the header: perf.data-file-format.txt of perf. */
enum {
	AT_SIZE = 8,
	AT_ATTR_SIZE = 16,
	AT_ATTRS = 24,
	AT_DATA = 40,
	AT_FEATURES = 72,
	HEADER_BYTES = 104,
	OLD_HEADER_BYTES = AT_FEATURES, /* the first perfs wrote no features */
	SECTION_BYTES = 16,
	ATTR_MIN_BYTES = 64,
};

struct file_section {
	uint64_t offset, size;
};

struct header {
	uint64_t size, attr_size;
	struct file_section attrs, data;
	uint64_t features[PQ_FEATURES_MAX / 64];
};

static struct file_section load_section(const unsigned char *bytes, bool is_other)
{
	return (struct file_section){ .offset = pq_load64(bytes, is_other),
				      .size = pq_load64(bytes + 8, is_other) };
}

static bool has_feature(const struct header *header, unsigned number)
{
	return header->features[number / 64] >> (number % 64) & 1;
}

static void load_features(const struct pmuq_recording *recording, const unsigned char *bytes,
			  struct header *header)
{
	bool is_other = recording->is_other_order;

	for (size_t i = 0; i < COUNT(header->features); i++)
		header->features[i] = pq_load64(bytes + 8 * i, is_other);
	if (!recording->content.is_big_endian || has_feature(header, PQ_FEATURE_HOSTNAME))
		return;
	/* The bitmap is an array of longs: a big-endian 32-bit machine swaps the halves of each
	 * word. */
	for (size_t i = 0; i < COUNT(header->features); i++)
		header->features[i] = header->features[i] << 32 | header->features[i] >> 32;
	if (has_feature(header, PQ_FEATURE_HOSTNAME))
		return;
	for (size_t i = 0; i < COUNT(header->features); i++)
		header->features[i] = header->features[i] << 32 | header->features[i] >> 32;
}

static int read_header(const struct pmuq_recording *recording, struct pq_input *input,
		       struct header *ret, struct pmuq_error **reterr)
{
	auto_free unsigned char *bytes = NULL;
	bool is_other = recording->is_other_order;
	uint64_t n;
	int r = pq_input_load(input, 0, AT_SIZE + sizeof(n), "the header", &bytes, reterr);

	if (r < 0)
		return r;
	n = ret->size = pq_load64(bytes + AT_SIZE, is_other);
	if (n != OLD_HEADER_BYTES && n < HEADER_BYTES)
		return pq_input_fail(input, PMUQ_E_BAD_RECORDING, AT_SIZE, reterr,
				     "the size field of the header has %" PRIu64
				     " bytes; a file's header has %d, a stream's %d",
				     n, HEADER_BYTES, SECTION_BYTES);
	free(move(bytes));
	r = pq_input_load(input, 0, n < HEADER_BYTES ? n : HEADER_BYTES, "the header", &bytes,
			  reterr);
	if (r < 0)
		return r;
	ret->attr_size = pq_load64(bytes + AT_ATTR_SIZE, is_other);
	ret->attrs = load_section(bytes + AT_ATTRS, is_other);
	ret->data = load_section(bytes + AT_DATA, is_other);
	if (n >= HEADER_BYTES)
		load_features(recording, bytes + AT_FEATURES, ret);
	return 0;
}

/* --------------------------------------------------------------------------------------- attrs */

static int read_ids(struct pmuq_recording *recording, struct pq_input *input,
		    struct file_section ids, uint64_t from, struct pq_recorded_event *event,
		    struct pmuq_error **reterr)
{
	auto_free unsigned char *bytes = NULL;
	size_t n = ids.size / sizeof(uint64_t);
	uint64_t *v;
	int r;

	if (ids.size % sizeof(uint64_t))
		return pq_input_fail(input, PMUQ_E_BAD_RECORDING, from, reterr,
				     "the ids of an event take %" PRIu64
				     " bytes, which is not a whole number of ids",
				     ids.size);
	if (!n)
		return 0;
	r = pq_input_load(input, ids.offset, ids.size, "the ids of an event", &bytes, reterr);
	if (r < 0)
		return r;
	v = pq_arena_array(&recording->arena, n, sizeof(*v));
	if (!v)
		return pq_recording_full(recording, input, ids.offset, reterr);
	for (size_t i = 0; i < n; i++)
		v[i] = pq_load64(bytes + i * sizeof(*v), recording->is_other_order);
	event->record.ids = v;
	event->record.n_ids = n;
	return 0;
}

/* An attr, followed by the location of its ids. */
static int read_attr(struct pmuq_recording *recording, struct pq_input *input,
		     const unsigned char *bytes, size_t n, uint64_t offset,
		     struct pmuq_error **reterr)
{
	struct pq_recorded_event *event;
	size_t attr_bytes = n - SECTION_BYTES;
	uint32_t size;
	int r;

	event = pq_event_add(recording, &recording->events, input, offset, &r, reterr);
	if (!event)
		return r;
	if (!pq_recorded_attr(recording, bytes, attr_bytes, event, &size))
		return pq_input_fail(input, PMUQ_E_BAD_RECORDING,
				     offset + offsetof(struct pmuq_attr, size), reterr,
				     "the size field of an attr has %" PRIu32
				     " bytes, but there are %zu",
				     size, attr_bytes);
	return read_ids(recording, input,
			load_section(bytes + attr_bytes, recording->is_other_order),
			offset + attr_bytes, event, reterr);
}

static int read_attrs(struct pmuq_recording *recording, struct pq_input *input,
		      const struct header *header, struct pmuq_error **reterr)
{
	auto_free unsigned char *bytes = NULL;
	const struct file_section *attrs = &header->attrs;
	uint64_t each = header->attr_size;
	int r;

	if (!attrs->size)
		return 0;
	if (each < ATTR_MIN_BYTES + SECTION_BYTES || attrs->size % each)
		return pq_input_fail(
			input, PMUQ_E_BAD_RECORDING, AT_ATTR_SIZE, reterr,
			"by the header, each attr with the location of its ids takes %" PRIu64
			" bytes, and all of them %" PRIu64,
			each, attrs->size);
	r = pq_input_load(input, attrs->offset, attrs->size, "the attrs", &bytes, reterr);
	for (uint64_t at = 0; r >= 0 && at < attrs->size; at += each)
		r = read_attr(recording, input, bytes + at, each, attrs->offset + at, reterr);
	return r;
}

/* ------------------------------------------------------------------------------------ features */

static int read_feature(struct pmuq_recording *recording, struct pq_input *input, unsigned number,
			struct file_section section, struct pmuq_error **reterr)
{
	auto_free unsigned char *bytes = NULL;
	const char *name = pq_feature_name(number);
	struct pmuq_feature *feature = pq_feature_add(recording, number, section.size);
	struct pq_file_cursor cursor = { .input = input,
					 .what = name,
					 .offset = section.offset,
					 .n = section.size,
					 .is_other_order = recording->is_other_order,
					 .reterr = reterr };
	int r;

	if (!feature)
		return pq_recording_full(recording, input, section.offset, reterr);
	if (!pq_feature_is_readable(number)) {
		/* Its content is not read, but must exist. */
		uint64_t end = section.offset + section.size;

		if (input->is_regular && (end < section.offset || end > input->size))
			return pq_input_fail_cut(input, section.offset, section.size,
						 name ? name : "a feature", reterr);
		return 0;
	}
	r = pq_input_load(input, section.offset, section.size, name, &bytes, reterr);
	if (r < 0)
		return r;
	cursor.bytes = bytes;
	pq_feature_read(recording, feature, &cursor);
	return cursor.r;
}

static unsigned count_features(const struct header *header)
{
	unsigned n = 0;

	for (size_t i = 0; i < COUNT(header->features); i++)
		n += (unsigned)__builtin_popcountll(header->features[i]);
	return n;
}

static int fail_unfinished(const struct pq_input *input, struct pmuq_error **reterr)
{
	int r = pq_input_fail(input, PMUQ_E_CUT_RECORDING, AT_DATA + 8, reterr,
			      "the header has no size of the samples, which perf writes when it "
			      "ends: the location of the features is not known");

	pq_error_hint(reterr, "perf record was killed; its events are known, its machine is not");
	return r;
}

/* A problem of one feature does not hide the next, unless the file ends within it. */
static int read_features(struct pmuq_recording *recording, struct pq_input *input,
			 const struct header *header, const unsigned char *table,
			 struct pmuq_error **reterr)
{
	size_t i = 0;

	for (unsigned number = 0; number < PQ_FEATURES_MAX; number++) {
		struct pmuq_error *error = NULL;
		int r, cause;

		if (!has_feature(header, number))
			continue;
		cause = read_feature(
			recording, input, number,
			load_section(table + SECTION_BYTES * i++, recording->is_other_order),
			&error);
		r = cause < 0 ? pq_recording_note(recording, cause, error, reterr) : 0;
		if (r < 0)
			return r;
		if (cause == -PMUQ_E_CUT_RECORDING)
			break;
	}
	return 0;
}

/* Reads the table of features, which is at the end of the samples. Until perf ends, the header has
 * a size of 0 for the samples: what comes right after the attrs is then no table. */
static int read_table(struct pmuq_recording *recording, struct pq_input *input,
		      const struct header *header, unsigned char **ret, struct pmuq_error **reterr)
{
	uint64_t offset = header->data.offset + header->data.size;
	uint64_t n = (uint64_t)count_features(header) * SECTION_BYTES;
	int r;

	if (offset < header->data.offset)
		return pq_input_fail(input, PMUQ_E_BAD_RECORDING, AT_DATA, reterr,
				     "by the header, the samples take %" PRIu64
				     " bytes from byte %" PRIu64,
				     header->data.size, header->data.offset);
	r = pq_input_load(input, offset, n, n ? "the table of features" : "the samples", ret,
			  reterr);
	if (r < 0 && !header->data.size)
		pq_error_hint(reterr, "perf record was killed; its events are known, its machine "
				      "is not");
	if (r < 0 || header->data.size || !n)
		return r;
	if (load_section(*ret, recording->is_other_order).offset == offset + n)
		return 0;
	return fail_unfinished(input, reterr);
}

int pq_file_read(struct pmuq_recording *recording, struct pq_input *input,
		 struct pmuq_error **reterr)
{
	auto_free unsigned char *table = NULL;
	struct pmuq_error *error = NULL;
	struct header header = { 0 };
	int r = pq_input_start_keeping(input, reterr);

	if (r >= 0)
		r = read_header(recording, input, &header, reterr);
	if (r >= 0)
		r = read_attrs(recording, input, &header, reterr);
	input->keeps = false;
	if (r < 0)
		return r;
	r = read_table(recording, input, &header, &table, &error);
	if (r < 0)
		return pq_recording_note(recording, r, error, reterr);
	return read_features(recording, input, &header, table, reterr);
}
