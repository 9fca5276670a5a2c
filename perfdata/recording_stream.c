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

/* An attr of the size in its size field, followed by its ids. */
static void read_attr(struct pmuq_recording *recording, const struct record *record)
{
	struct pq_recorded_event read = { 0 }, *event;
	uint32_t size = 0;
	size_t n;

	if (record->n >= ATTR_MIN_BYTES)
		size = pq_load32(recording->input,
				 record->bytes + offsetof(struct pmuq_attr, size));
	size = size ? size : ATTR_MIN_BYTES;
	if (size > record->n || !pq_recorded_attr(recording, record->bytes, size, &read, &size)) {
		pq_input_fail(recording->input, PMUQ_E_BAD_RECORDING,
			      record->offset + offsetof(struct pmuq_attr, size),
			      "the size field of an attr has %" PRIu32 " bytes, but there are %zu",
			      size, record->n);
		return;
	}
	n = record->n - size;
	if (n % sizeof(uint64_t))
		pq_input_fail(recording->input, PMUQ_E_BAD_RECORDING, record->offset + size,
			      "the %zu bytes after an attr are not a whole number of ids", n);
	pq_event_set_ids(recording, record->offset, record->bytes + size, n / sizeof(uint64_t),
			 &read);
	event = pq_event_add(recording, &recording->events, record->offset);
	if (event)
		*event = read;
}

/* `what` is the name of the record in errors. */
static struct pq_file_cursor cursor_of(struct pmuq_recording *recording,
				       const struct record *record, const char *what)
{
	return (struct pq_file_cursor){ .input = recording->input,
					.what = what,
					.bytes = record->bytes,
					.offset = record->offset,
					.n = record->n };
}

/* The number of a feature, followed by what a file has in the section of the feature. */
static void read_feature(struct pmuq_recording *recording, const struct record *record)
{
	struct pq_file_cursor cursor = cursor_of(recording, record, "a feature");
	uint64_t number = pq_file_cursor_u64(&cursor, "its number");
	struct pmuq_feature *feature;

	if (number >= PQ_FEATURES_MAX)
		pq_file_cursor_fail(&cursor, sizeof(number), "the number %" PRIu64 " is too large",
				    number);
	if (recording->input->r < 0 || (number >= FIRST_END_MARK && !pq_file_cursor_left(&cursor)))
		return;
	feature = pq_feature_add(recording, (unsigned)number, pq_file_cursor_left(&cursor));
	if (!feature) {
		pq_recording_full(recording, record->offset);
	} else if (pq_feature_is_readable((unsigned)number)) {
		cursor.what = pq_feature_name((unsigned)number);
		pq_feature_read(recording, feature, &cursor);
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
static void read_update(struct pmuq_recording *recording, const struct record *record)
{
	struct pq_file_cursor cursor = cursor_of(recording, record, "an update of an event");
	uint64_t type = pq_file_cursor_u64(&cursor, "its type");
	uint64_t id = pq_file_cursor_u64(&cursor, "the event's id");
	size_t n = pq_file_cursor_left(&cursor);
	struct pmuq_str text = { .p = (const char *)record->bytes + cursor.at };
	char number[32];

	if (recording->input->r < 0 || type > PQ_UPDATE_NAME)
		return;
	text.n = strnlen(text.p, n);
	if (type == PQ_UPDATE_SCALE) {
		uint64_t bits = pq_file_cursor_u64(&cursor, "the scale");
		double scale;

		memcpy(&scale, &bits, sizeof(scale));
		print_scale(scale, number, sizeof(number));
		text = str_of(number);
	}
	if (recording->input->r < 0)
		return;
	text = pq_arena_str(&recording->arena, text);
	if (!text.p || !pq_vec_push_in(&recording->arena, &recording->updates,
				       { .id = id, .type = type, .text = text }))
		pq_recording_full(recording, record->offset);
}

/* Some records are followed by raw payload; its size is in the record. */
static uint64_t extra_bytes(struct pmuq_recording *recording, const struct record *record)
{
	if (record->type == RECORD_TRACING_DATA && record->n >= sizeof(uint32_t))
		return pq_load32(recording->input, record->bytes);
	if (record->type == RECORD_AUXTRACE && record->n >= sizeof(uint64_t))
		return pq_load64(recording->input, record->bytes);
	return 0;
}

static void read_record(struct pmuq_recording *recording, const struct record *record)
{
	if (record->type == RECORD_ATTR)
		read_attr(recording, record);
	else if (record->type == RECORD_FEATURE)
		read_feature(recording, record);
	else if (record->type == RECORD_EVENT_UPDATE)
		read_update(recording, record);
}

/* Peeks at the next record; false at the end, and after an error. */
static bool next_record(struct pmuq_recording *recording, struct record *ret)
{
	struct pq_input *input = recording->input;
	size_t n;
	const unsigned char *bytes = pq_input_peek(input, RECORD_HEADER_BYTES, &n);

	if (!n)
		return false;
	if (n < RECORD_HEADER_BYTES) {
		pq_input_fail_cut(input, input->at, RECORD_HEADER_BYTES, "the header of a record");
		return false;
	}
	*ret = (struct record){ .type = pq_load32(input, bytes) };
	memcpy(&ret->size, bytes + 6, sizeof(ret->size));
	if (input->is_other_order)
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
static void pass_over(struct pmuq_recording *recording, const struct record *record, uint64_t extra)
{
	uint64_t from = recording->input->at + record->size;

	pq_input_skip(recording->input, record->size);
	pq_input_skip(recording->input, extra);
	if (recording->input->at - from < extra)
		pq_input_fail_cut(recording->input, from, extra, "the payload of a record");
}

/* A record that cannot be read is a problem, and so is an end within a record. */
void pq_stream_read(struct pmuq_recording *recording)
{
	struct record record;
	bool is_full = false;

	pq_input_skip(recording->input, STREAM_HEADER_BYTES);
	if (recording->input->r < 0)
		return;
	while (!is_full && next_record(recording, &record)) {
		uint64_t extra = extra_bytes(recording, &record);

		read_record(recording, &record);
		/* The arena is full, and will stay so. */
		is_full = recording->input->r == -PMUQ_E_LARGE_RECORDING;
		pq_recording_note(recording);
		if (!is_full)
			pass_over(recording, &record, extra);
	}
	pq_recording_note(recording);
}
