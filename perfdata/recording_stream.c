/* SPDX-License-Identifier: MIT */
/*
 * Reads the stream that `perf record -o -` writes: a sequence of records. Attrs and features are
 * records, too; all other records are skipped.
 */
#include "perfdata/recording.h"
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>

/* PERF_RECORD_… of perf's perf.data-file-format.txt, and sizes. */
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
	struct pmuq_error **reterr; /* of one record: it becomes a problem */
};

static int read_ids(const struct stream *in, const struct record *record, size_t from,
		    struct pq_recorded_event *event)
{
	size_t n = (record->n - from) / sizeof(uint64_t);
	uint64_t *ids = pq_arena_array(&in->recording->arena, n, sizeof(*ids));

	if ((record->n - from) % sizeof(uint64_t))
		return pq_input_fail(in->input, PMUQ_E_BAD_RECORDING, record->offset + from,
				     in->reterr,
				     "the %zu bytes after an attr are not a whole number of ids",
				     record->n - from);
	if (!ids)
		return pq_recording_full(in->recording, in->input, record->offset, in->reterr);
	for (size_t i = 0; i < n; i++)
		ids[i] = pq_load64(record->bytes + from + i * sizeof(*ids),
				   in->recording->is_other_order);
	event->record.ids = ids;
	event->record.n_ids = n;
	return 0;
}

/* An attr of the size in its size field, followed by its ids. */
static int read_attr(const struct stream *in, const struct record *record)
{
	struct pq_recorded_event read = { 0 }, *event;
	uint32_t size = 0;
	int r;

	if (record->n >= ATTR_MIN_BYTES)
		size = pq_load32(record->bytes + offsetof(struct pmuq_attr, size),
				 in->recording->is_other_order);
	size = size ? size : ATTR_MIN_BYTES;
	if (size > record->n || !pq_recorded_attr(in->recording, record->bytes, size, &read, &size))
		return pq_input_fail(in->input, PMUQ_E_BAD_RECORDING,
				     record->offset + offsetof(struct pmuq_attr, size), in->reterr,
				     "the size field of an attr has %" PRIu32
				     " bytes, but there are %zu",
				     size, record->n);
	r = read_ids(in, record, size, &read);
	if (r < 0)
		return r;
	event = pq_event_add(in->recording, &in->recording->events, in->input, record->offset, &r,
			     in->reterr);
	if (!event)
		return r;
	*event = read;
	return 0;
}

static struct pq_file_cursor cursor_of(const struct stream *in, const struct record *record,
				       const char *what)
{
	return (struct pq_file_cursor){ .input = in->input,
					.what = what,
					.bytes = record->bytes,
					.offset = record->offset,
					.n = record->n,
					.is_other_order = in->recording->is_other_order,
					.reterr = in->reterr };
}

static int read_feature(const struct stream *in, const struct record *record)
{
	struct pq_file_cursor cursor = cursor_of(in, record, "a feature");
	uint64_t number = pq_file_cursor_u64(&cursor, "its number");
	struct pmuq_feature *feature;

	if (number >= PQ_FEATURES_MAX)
		pq_file_cursor_fail(&cursor, sizeof(number), "the number %" PRIu64 " is too large",
				    number);
	if (cursor.r < 0 || (number >= FIRST_END_MARK && !pq_file_cursor_left(&cursor)))
		return cursor.r;
	feature = pq_feature_add(in->recording, (unsigned)number, pq_file_cursor_left(&cursor));
	if (!feature)
		return pq_recording_full(in->recording, in->input, record->offset, in->reterr);
	if (!pq_feature_is_readable((unsigned)number))
		return 0;
	cursor.what = pq_feature_name((unsigned)number);
	pq_feature_read(in->recording, feature, &cursor);
	return cursor.r;
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
static int read_update(const struct stream *in, const struct record *record)
{
	struct pq_file_cursor cursor = cursor_of(in, record, "an update of an event");
	uint64_t type = pq_file_cursor_u64(&cursor, "its type");
	uint64_t id = pq_file_cursor_u64(&cursor, "the event's id");
	size_t n = pq_file_cursor_left(&cursor);
	struct pmuq_str text = { .p = (const char *)record->bytes + cursor.at };
	char number[32];

	if (cursor.r < 0 || type > PQ_UPDATE_NAME)
		return cursor.r;
	text.n = strnlen(text.p, n);
	if (type == PQ_UPDATE_SCALE) {
		uint64_t bits = pq_file_cursor_u64(&cursor, "the scale");
		double scale;

		memcpy(&scale, &bits, sizeof(scale));
		print_scale(scale, number, sizeof(number));
		text = str_of(number);
	}
	if (cursor.r < 0)
		return cursor.r;
	text = pq_arena_str(&in->recording->arena, text);
	if (!text.p || !pq_vec_push_in(&in->recording->arena, &in->recording->updates,
				       { .id = id, .type = type, .text = text }))
		return pq_recording_full(in->recording, in->input, record->offset, in->reterr);
	return 0;
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

static int read_record(const struct stream *in, const struct record *record)
{
	switch (record->type) {
	case RECORD_ATTR:
		return read_attr(in, record);
	case RECORD_FEATURE:
		return read_feature(in, record);
	case RECORD_EVENT_UPDATE:
		return read_update(in, record);
	default:
		return 0;
	}
}

/* Peeks at the next record; PQ_END at the end. */
static int next_record(struct stream *in, struct record *ret)
{
	bool is_other = in->recording->is_other_order;
	const unsigned char *bytes;
	size_t n;
	int r = pq_input_peek(in->input, RECORD_HEADER_BYTES, &bytes, &n, in->reterr);

	if (r < 0 || !n)
		return r < 0 ? r : PQ_END;
	if (n < RECORD_HEADER_BYTES)
		return pq_input_fail_cut(in->input, in->input->at, RECORD_HEADER_BYTES,
					 "the header of a record", in->reterr);
	*ret = (struct record){ .type = pq_load32(bytes, is_other) };
	memcpy(&ret->size, bytes + 6, sizeof(ret->size));
	if (is_other)
		ret->size = __builtin_bswap16(ret->size);
	if (ret->size < RECORD_HEADER_BYTES)
		return pq_input_fail(in->input, PMUQ_E_BAD_RECORDING, in->input->at + 6, in->reterr,
				     "the size of a record is %u bytes; the smallest has %d",
				     ret->size, RECORD_HEADER_BYTES);
	r = pq_input_peek(in->input, ret->size, &bytes, &n, in->reterr);
	if (r < 0)
		return r;
	if (n < ret->size)
		return pq_input_fail_cut(in->input, in->input->at, ret->size, "a record",
					 in->reterr);
	ret->bytes = bytes + RECORD_HEADER_BYTES;
	ret->n = ret->size - RECORD_HEADER_BYTES;
	ret->offset = in->input->at + RECORD_HEADER_BYTES;
	return 0;
}

static int pass_over(struct stream *in, const struct record *record, uint64_t extra)
{
	uint64_t from = in->input->at + record->size;
	int r = pq_input_skip(in->input, record->size, in->reterr);

	if (r >= 0)
		r = pq_input_skip(in->input, extra, in->reterr);
	if (r >= 0 && in->input->at - from < extra)
		r = pq_input_fail_cut(in->input, from, extra, "the payload of a record",
				      in->reterr);
	return r;
}

int pq_stream_read(struct pmuq_recording *recording, struct pq_input *input,
		   struct pmuq_error **reterr)
{
	struct pmuq_error *error = NULL;
	struct stream in = { .recording = recording, .input = input, .reterr = &error };
	int r = pq_input_skip(input, STREAM_HEADER_BYTES, reterr), next;

	while (r >= 0) {
		struct record record = { 0 };
		uint64_t extra;

		next = next_record(&in, &record);
		if (next != 0)
			return next < 0 ? pq_recording_note(recording, next, error, reterr) : 0;
		extra = extra_bytes(&in, &record);
		next = read_record(&in, &record);
		if (next < 0)
			r = pq_recording_note(recording, next, move(error), reterr);
		/* The arena is full, and will stay so. */
		if (r < 0 || next == -PMUQ_E_LARGE_RECORDING)
			break;
		next = pass_over(&in, &record, extra);
		if (next < 0)
			return pq_recording_note(recording, next, error, reterr);
	}
	return r;
}
