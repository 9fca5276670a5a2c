/* SPDX-License-Identifier: MIT */
/*
 * Reads the stream that `perf record -o -` writes: a sequence of records. Attrs and features are
 * records, too; all other records are skipped.
 */
#include "perfdata/recording.h"
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>

/* PERF_RECORD_… of perf's perf.data-file-format.txt, and sizes. The header of a record is a struct
 * perf_event_header of perf_event_open(2): type u32, misc u16, size u16, which includes the header.
 */
enum {
	RECORD_ATTR = 64,
	RECORD_TRACING_DATA = 66,
	RECORD_AUXTRACE = 71,
	RECORD_EVENT_UPDATE = 78,
	RECORD_FEATURE = 80,
	RECORD_HEADER_BYTES = 8,
	STREAM_HEADER_BYTES = 16,
	ATTR_MIN_BYTES = 64,
	/* perf ends its features with an empty one of the first number that it does not know: this
	 * one or a later one. */
	FIRST_END_MARK = PQ_FEATURE_CPU_DOMAIN_INFO,
};

struct record {
	uint32_t type;
	uint16_t size;
	const unsigned char *bytes; /* after its header */
	size_t n;
	uint64_t offset; /* of `bytes` in the file */
};

struct stream {
	struct pmuq_recording *recording;
	struct pq_input *input;
};

/* An attr of the size in its size field, followed by its ids. */
static void read_attr(const struct stream *in, const struct record *record)
{
	struct pq_recorded_event read = { 0 }, *event;
	uint32_t size = 0;
	size_t n;

	if (record->n >= ATTR_MIN_BYTES)
		size = pq_load32(record->bytes + offsetof(struct pmuq_attr, size),
				 in->recording->is_other_order);
	size = size ? size : ATTR_MIN_BYTES;
	if (size > record->n ||
	    !pq_recorded_attr(in->recording, record->bytes, size, &read, &size)) {
		pq_input_fail(in->input, PMUQ_E_BAD_RECORDING,
			      record->offset + offsetof(struct pmuq_attr, size),
			      "the size field of an attr has %" PRIu32 " bytes, but there are %zu",
			      size, record->n);
		return;
	}
	n = record->n - size;
	if (n % sizeof(uint64_t))
		pq_input_fail(in->input, PMUQ_E_BAD_RECORDING, record->offset + size,
			      "the %zu bytes after an attr are not a whole number of ids", n);
	pq_event_set_ids(in->recording, in->input, record->offset, record->bytes + size,
			 n / sizeof(uint64_t), &read);
	event = pq_event_add(in->recording, &in->recording->events, in->input, record->offset);
	if (event)
		*event = read;
}

/* `what` is the name of the record in errors. */
static struct pq_file_cursor cursor_of(const struct stream *in, const struct record *record,
				       const char *what)
{
	return (struct pq_file_cursor){ .input = in->input,
					.what = what,
					.bytes = record->bytes,
					.offset = record->offset,
					.n = record->n,
					.is_other_order = in->recording->is_other_order };
}

/* The number of a feature, followed by what a file has in the section of the feature. */
static void read_feature(const struct stream *in, const struct record *record)
{
	struct pq_file_cursor cursor = cursor_of(in, record, "a feature");
	uint64_t number = pq_file_cursor_u64(&cursor, "its number");
	struct pmuq_feature *feature;

	if (number >= PQ_FEATURES_MAX)
		pq_file_cursor_fail(&cursor, sizeof(number), "the number %" PRIu64 " is too large",
				    number);
	if (in->input->r < 0 || (number >= FIRST_END_MARK && !pq_file_cursor_left(&cursor)))
		return;
	feature = pq_feature_add(in->recording, (unsigned)number, pq_file_cursor_left(&cursor));
	if (!feature) {
		pq_recording_full(in->recording, in->input, record->offset);
	} else if (pq_feature_is_readable((unsigned)number)) {
		cursor.what = pq_feature_name((unsigned)number);
		pq_feature_read(in->recording, feature, &cursor);
	}
}

/* With a decimal point in every locale. */
static void print_scale(double scale, char *to, size_t n)
{
	locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	locale_t before = uselocale(plain);

	snprintf(to, n, "%.15g", scale);
	uselocale(before);
	if (plain)
		freelocale(plain);
}

/* An update: its type, the id of the event, and a text up to a NUL or a double. */
static void read_update(const struct stream *in, const struct record *record)
{
	struct pq_file_cursor cursor = cursor_of(in, record, "an update of an event");
	uint64_t type = pq_file_cursor_u64(&cursor, "its type");
	uint64_t id = pq_file_cursor_u64(&cursor, "the event's id");
	size_t n = pq_file_cursor_left(&cursor);
	struct pmuq_str text = { .p = (const char *)record->bytes + cursor.at };
	char number[32];

	if (in->input->r < 0 || type > PQ_UPDATE_NAME)
		return;
	text.n = strnlen(text.p, n);
	if (type == PQ_UPDATE_SCALE) {
		uint64_t bits = pq_file_cursor_u64(&cursor, "the scale");
		double scale;

		memcpy(&scale, &bits, sizeof(scale));
		print_scale(scale, number, sizeof(number));
		text = str_of(number);
	}
	if (in->input->r < 0)
		return;
	text = pq_arena_str(&in->recording->arena, text);
	if (!text.p || !pq_vec_push_in(&in->recording->arena, &in->recording->updates,
				       { .id = id, .type = type, .text = text }))
		pq_recording_full(in->recording, in->input, record->offset);
}

/* Some records are followed by raw payload; its size is in the record. */
static uint64_t extra_bytes(const struct stream *in, const struct record *record)
{
	bool is_other = in->recording->is_other_order;

	if (record->type == RECORD_TRACING_DATA && record->n >= sizeof(uint32_t))
		return pq_load32(record->bytes, is_other);
	if (record->type == RECORD_AUXTRACE && record->n >= sizeof(uint64_t))
		return pq_load64(record->bytes, is_other);
	return 0;
}

static void read_record(const struct stream *in, const struct record *record)
{
	if (record->type == RECORD_ATTR)
		read_attr(in, record);
	else if (record->type == RECORD_FEATURE)
		read_feature(in, record);
	else if (record->type == RECORD_EVENT_UPDATE)
		read_update(in, record);
}

/* Peeks at the next record; false at the end, and after an error. */
static bool next_record(struct stream *in, struct record *ret)
{
	bool is_other = in->recording->is_other_order;
	struct pq_input *input = in->input;
	size_t n;
	const unsigned char *bytes = pq_input_peek(input, RECORD_HEADER_BYTES, &n);

	if (!n)
		return false;
	if (n < RECORD_HEADER_BYTES) {
		pq_input_fail_cut(input, input->at, RECORD_HEADER_BYTES, "the header of a record");
		return false;
	}
	*ret = (struct record){ .type = pq_load32(bytes, is_other) };
	memcpy(&ret->size, bytes + 6, sizeof(ret->size));
	if (is_other)
		ret->size = __builtin_bswap16(ret->size);
	if (ret->size < RECORD_HEADER_BYTES)
		pq_input_fail(input, PMUQ_E_BAD_RECORDING, input->at + 6,
			      "the size of a record is %u bytes; the smallest has %d", ret->size,
			      RECORD_HEADER_BYTES);
	bytes = pq_input_peek(input, ret->size, &n);
	if (n < ret->size)
		pq_input_fail_cut(input, input->at, ret->size, "a record");
	ret->bytes = bytes + RECORD_HEADER_BYTES;
	ret->n = (size_t)ret->size - RECORD_HEADER_BYTES;
	ret->offset = input->at + RECORD_HEADER_BYTES;
	return input->r == 0;
}

/* Continues after the record and its payload, whether or not the record could be read. */
static void pass_over(struct stream *in, const struct record *record, uint64_t extra)
{
	uint64_t from = in->input->at + record->size;

	pq_input_skip(in->input, record->size);
	pq_input_skip(in->input, extra);
	if (in->input->at - from < extra)
		pq_input_fail_cut(in->input, from, extra, "the payload of a record");
}

/* A record that cannot be read is a problem, and so is an end within a record. */
void pq_stream_read(struct pmuq_recording *recording, struct pq_input *input)
{
	struct stream in = { .recording = recording, .input = input };
	struct record record;
	bool is_full = false;

	pq_input_skip(input, STREAM_HEADER_BYTES);
	if (input->r < 0)
		return;
	while (!is_full && next_record(&in, &record)) {
		uint64_t extra = extra_bytes(&in, &record);

		read_record(&in, &record);
		/* The arena is full, and will stay so. */
		is_full = input->r == -PMUQ_E_LARGE_RECORDING;
		pq_recording_note(recording, input);
		if (!is_full)
			pass_over(&in, &record, extra);
	}
	pq_recording_note(recording, input);
}
