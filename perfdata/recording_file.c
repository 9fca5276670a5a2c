/* SPDX-License-Identifier: MIT */
/*
 * Reads a perf.data file: the header has the locations of the attrs and of the samples; the table
 * of features comes right after the samples, which are not read.
 */
#include "perfdata/recording.h"
#include <inttypes.h>

/* Offsets in the header: tools/perf/Documentation/perf.data-file-format.txt of the kernel. A
 * section is an offset and a size, 8 bytes each. Between AT_DATA and AT_FEATURES is a section of
 * event types, which perf no longer writes. */
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

/* Each attr is followed by the location of its ids; attr_size has both. */
struct header {
	uint64_t size, attr_size;
	struct file_section attrs, data;
	uint64_t features[PQ_FEATURES_MAX / 64];
};

static struct file_section load_section(const struct pq_input *input, const unsigned char *bytes)
{
	return (struct file_section){ .offset = pq_load64(input, bytes),
				      .size = pq_load64(input, bytes + 8) };
}

static bool has_feature(const struct header *header, unsigned number)
{
	return header->features[number / 64] >> (number % 64) & 1;
}

static void load_features(const struct pmuq_recording *recording, const unsigned char *bytes,
			  struct header *header)
{
	for (size_t i = 0; i < COUNT(header->features); i++)
		header->features[i] = pq_load64(recording->input, bytes + 8 * i);
	if (!recording->content.is_big_endian)
		return;
	/* The bitmap is an array of longs: a big-endian 32-bit machine swaps the halves of each
	 * word. The second time puts them back, if that gives no better bitmap. */
	for (int times = 0; times < 2 && !has_feature(header, PQ_FEATURE_HOSTNAME); times++)
		for (size_t i = 0; i < COUNT(header->features); i++)
			header->features[i] = header->features[i] << 32 | header->features[i] >> 32;
}

/* The size comes first: the header of the first perfs is shorter. */
static void read_header(const struct pmuq_recording *recording, struct header *ret)
{
	struct pq_input *input = recording->input;
	auto_free unsigned char *bytes = NULL;
	uint64_t n = 0;

	bytes = pq_input_load(input, 0, AT_SIZE + sizeof(n), "the header");
	if (bytes)
		n = ret->size = pq_load64(input, bytes + AT_SIZE);
	if (n != OLD_HEADER_BYTES && n < HEADER_BYTES)
		pq_input_fail(input, PMUQ_E_BAD_RECORDING, AT_SIZE,
			      "the size field of the header has %" PRIu64
			      " bytes; a file's header has %d, a stream's %d",
			      n, HEADER_BYTES, SECTION_BYTES);
	free(move(bytes));
	bytes = pq_input_load(input, 0, n < HEADER_BYTES ? n : HEADER_BYTES, "the header");
	if (!bytes)
		return;
	ret->attr_size = pq_load64(input, bytes + AT_ATTR_SIZE);
	ret->attrs = load_section(input, bytes + AT_ATTRS);
	ret->data = load_section(input, bytes + AT_DATA);
	if (n >= HEADER_BYTES)
		load_features(recording, bytes + AT_FEATURES, ret);
}

/* --------------------------------------------------------------------------------------- attrs */

static void read_ids(struct pmuq_recording *recording, struct file_section ids, uint64_t from,
		     struct pq_recorded_event *event)
{
	auto_free unsigned char *bytes = NULL;
	size_t n = ids.size / sizeof(uint64_t);

	if (ids.size % sizeof(uint64_t))
		pq_input_fail(recording->input, PMUQ_E_BAD_RECORDING, from,
			      "the ids of an event take %" PRIu64
			      " bytes, which is not a whole number of ids",
			      ids.size);
	if (n)
		bytes = pq_input_load(recording->input, ids.offset, ids.size,
				      "the ids of an event");
	if (bytes)
		pq_event_set_ids(recording, ids.offset, bytes, n, event);
}

/* An attr, followed by the location of its ids. */
static void read_attr(struct pmuq_recording *recording, const unsigned char *bytes, size_t n,
		      uint64_t offset)
{
	struct pq_recorded_event *event = pq_event_add(recording, &recording->events, offset);
	size_t attr_bytes = n - SECTION_BYTES;
	uint32_t size;

	if (!event)
		return;
	if (!pq_recorded_attr(recording, bytes, attr_bytes, event, &size))
		pq_input_fail(recording->input, PMUQ_E_BAD_RECORDING,
			      offset + offsetof(struct pmuq_attr, size),
			      "the size field of an attr has %" PRIu32 " bytes, but there are %zu",
			      size, attr_bytes);
	read_ids(recording, load_section(recording->input, bytes + attr_bytes), offset + attr_bytes,
		 event);
}

static void read_attrs(struct pmuq_recording *recording, const struct header *header)
{
	auto_free unsigned char *bytes = NULL;
	const struct file_section *attrs = &header->attrs;
	uint64_t each = header->attr_size;

	if (!attrs->size)
		return;
	if (each < ATTR_MIN_BYTES + SECTION_BYTES || attrs->size % each)
		pq_input_fail(recording->input, PMUQ_E_BAD_RECORDING, AT_ATTR_SIZE,
			      "by the header, each attr with the location of its ids takes %" PRIu64
			      " bytes, and all of them %" PRIu64,
			      each, attrs->size);
	bytes = pq_input_load(recording->input, attrs->offset, attrs->size, "the attrs");
	for (uint64_t at = 0; recording->input->r == 0 && at < attrs->size; at += each)
		read_attr(recording, bytes + at, each, attrs->offset + at);
}

/* ------------------------------------------------------------------------------------ features */

static void read_feature(struct pmuq_recording *recording, unsigned number,
			 struct file_section section)
{
	struct pq_input *input = recording->input;
	auto_free unsigned char *bytes = NULL;
	const char *name = pq_feature_name(number);
	struct pmuq_feature *feature = pq_feature_add(recording, number, section.size);
	struct pq_file_cursor cursor = {
		.input = input, .what = name, .offset = section.offset, .n = section.size
	};
	uint64_t end = section.offset + section.size;

	if (!feature) {
		pq_recording_full(recording, section.offset);
	} else if (pq_feature_is_readable(number)) {
		cursor.bytes = bytes = pq_input_load(input, section.offset, section.size, name);
		if (bytes)
			pq_feature_read(recording, feature, &cursor);
	} else if (input->is_regular && (end < section.offset || end > input->size)) {
		/* Its content is not read, but must exist. */
		pq_input_fail_cut(input, section.offset, section.size, name ? name : "a feature");
	}
}

/* The table has a row for each bit of the bitmap, in the order of the bits. */
static unsigned count_features(const struct header *header)
{
	unsigned n = 0;

	for (size_t i = 0; i < COUNT(header->features); i++)
		n += (unsigned)__builtin_popcountll(header->features[i]);
	return n;
}

#define KILLED "perf record was killed; its events are known, its machine is not"

/* A problem of one feature does not hide the next, unless the file ends within it. */
static void read_features(struct pmuq_recording *recording, const struct header *header,
			  const unsigned char *table)
{
	bool is_cut = false;

	for (unsigned number = 0; recording->input->r == 0 && !is_cut && number < PQ_FEATURES_MAX;
	     number++) {
		if (!has_feature(header, number))
			continue;
		read_feature(recording, number, load_section(recording->input, table));
		table += SECTION_BYTES;
		is_cut = recording->input->r == -PMUQ_E_CUT_RECORDING;
		pq_recording_note(recording);
	}
}

/* Reads the table of features, which is at the end of the samples. Until perf ends, the header has
 * a size of 0 for the samples: what comes right after the attrs is then no table. */
static unsigned char *read_table(struct pmuq_recording *recording, const struct header *header)
{
	struct pq_input *input = recording->input;
	uint64_t offset = header->data.offset + header->data.size;
	uint64_t n = (uint64_t)count_features(header) * SECTION_BYTES;
	unsigned char *table;

	if (offset < header->data.offset) {
		pq_input_fail(input, PMUQ_E_BAD_RECORDING, AT_DATA,
			      "by the header, the samples take %" PRIu64
			      " bytes from byte %" PRIu64,
			      header->data.size, header->data.offset);
		return NULL;
	}
	table = pq_input_load(input, offset, n, n ? "the table of features" : "the samples");
	if (header->data.size)
		return table;
	if (table && n && load_section(input, table).offset != offset + n)
		pq_input_fail(input, PMUQ_E_CUT_RECORDING, AT_DATA + 8,
			      "the header has no size of the samples, which perf writes when it "
			      "ends: the location of the features is not known");
	if (input->r < 0)
		pq_error_hint(&input->error, KILLED);
	return table;
}

void pq_file_read(struct pmuq_recording *recording)
{
	struct pq_input *input = recording->input;
	auto_free unsigned char *table = NULL;
	struct header header = { 0 };

	pq_input_start_keeping(input);
	read_header(recording, &header);
	read_attrs(recording, &header);
	input->keeps = false;
	if (input->r < 0)
		return;
	table = read_table(recording, &header);
	if (input->r == 0)
		read_features(recording, &header, table);
	pq_recording_note(recording);
}
