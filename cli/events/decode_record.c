/* SPDX-License-Identifier: MIT */
/*
 * The document of `pmuq decode`: attrs and recordings with their strings. A recording is a row like
 * an attr, and has the facts of the file too.
 */
#include "cli/events/decode_output.h"
#include "cli/events/recorded.h"
#include "cli/output/error_record.h"

#define ROW ((const struct decoded *)of)
#define ATTR ((const struct attr_input *)of)

/* ----------------------------------------------------------------------------------- decodings */

/* The next field from the cursor on that belongs to the event, or to the tool. */
static bool next_left(const void *of, struct cell *cell, bool is_event)
{
	while (cell->cursor < ATTR->decoding->n_left) {
		const struct pmuq_left_field *left =
			pmuq_decoding_left(ATTR->decoding, cell->cursor++);

		if (left->is_event != is_event)
			continue;
		cell->key = left->name;
		cell->count = left->value;
		cell->type = left->format == PMUQ_FIELD_WORD ? FIELD_WORD : FIELD_NUMBER;
		return true;
	}
	return false;
}

static bool get_inexpressible(const void *of, struct cell *cell)
{
	return next_left(of, cell, true);
}

static bool get_left(const void *of, struct cell *cell)
{
	return next_left(of, cell, false);
}

#define OF_DECODING(name) MEMBER_OF(struct attr_input, decoding, struct pmuq_decoding, name)

// clang-format off
static const struct field decoding_fields[] = {
	{ .name = STR("string"),       .type = FIELD_TEXT,  OF_DECODING(text), .help = "event string; encoding it gives the attr" },
	{ .name = STR("pmu"),          .type = FIELD_TEXT,  .flags = FIELD_NULLABLE, OF_DECODING(pmu) },
	{ .name = STR("source"),       .type = FIELD_TEXT,  .word = pmuq_origin_name, OF_DECODING(origin), .help = "source of the name" },
	{ .name = STR("exact"),        .type = FIELD_BOOL,  OF_DECODING(is_exact), .help = "the string gives every field that makes the event" },
	{ .name = STR("inexpressible"),       .type = FIELD_COUNT, .flags = FIELD_MAP | FIELD_MIXED, .get = get_inexpressible,
	  .help = "fields of the event that no string can express" },
	{ .name = STR("left"),         .type = FIELD_COUNT, .flags = FIELD_MAP | FIELD_MIXED, .get = get_left,
	  .help = "fields that a tool sets, not the event" },
	{ .name = STR("alternatives"), .type = FIELD_TEXT,  .flags = FIELD_LIST, VIA(struct attr_input, decoding), ITEMS(struct pmuq_decoding, alternatives, n_alternatives),
	  .help = "other strings of the same attr, the likeliest first" },
};
static const struct record_type decoding_record = { .name = "decoding", FIELDS(decoding_fields) };
// clang-format on

/* ----------------------------------------------------------------------------------- recordings */

static const char *const form_words[] = { "file", "stream", NULL };
static const char *const order_words[] = { "little", "big", NULL };

static bool get_feature(const void *of, struct cell *cell)
{
	cell->record = pmuq_recording_feature(ROW->recording, cell->index);
	return cell->record;
}

static bool get_event(const void *of, struct cell *cell)
{
	cell->record = pmuq_recording_event(ROW->recording, cell->index);
	return cell->record;
}

static bool get_problem(const void *of, struct cell *cell)
{
	const struct pmuq_error *problem = pmuq_recording_problem(ROW->recording, cell->index);

	return problem &&
	       cell_set_record(cell, (struct shown_error){ .error = problem, .input = "" });
}

#define OF_CONTENT(name) MEMBER_OF(struct decoded, content, struct pmuq_recorded, name)
#define OF_EVENT(name) MEMBER(struct pmuq_recorded_event, name)
#define OF_FEATURE(name) MEMBER(struct pmuq_feature, name)

// clang-format off
static const struct field machine_fields[] = {
	{ .name = STR("is"),         .type = FIELD_TEXT,   MEMBER(struct recorded_machine, about), .help = "the machine, and why it was chosen" },
	{ .name = STR("incomplete"), .type = FIELD_BOOL,   .flags = FIELD_NOT, MEMBER(struct recorded_machine, catalog), .help = "known from the recording alone" },
	{ .name = STR("snapshot"),   .type = FIELD_NUMBER, .flags = FIELD_NULLABLE | FIELD_UNLESS_0, MEMBER(struct recorded_machine, snapshot), .help = "its number in the database" },
};
static const struct record_type machine_record = {
	.name = "machine", .help = "The machine that decoded the attrs", FIELDS(machine_fields),
};

static const struct field value_fields[] = {
	{ .name = STR("name"), .type = FIELD_TEXT, MEMBER(struct pmuq_pair, name) },
	{ .name = STR("text"), .type = FIELD_TEXT, MEMBER(struct pmuq_pair, text) },
};
static const struct record_type value_record = { .name = "value", FIELDS(value_fields) };

static const struct field feature_fields[] = {
	{ .name = STR("number"), .type = FIELD_COUNT,  OF_FEATURE(number), .help = "of its bit in the header" },
	{ .name = STR("name"),   .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, OF_FEATURE(name), .help = "null: not known" },
	{ .name = STR("bytes"),  .type = FIELD_COUNT,  OF_FEATURE(bytes) },
	{ .name = STR("read"),   .type = FIELD_BOOL,   OF_FEATURE(is_read), .help = "false: it has no content to print, or is damaged" },
	{ .name = STR("values"), .type = FIELD_RECORD, .flags = FIELD_LIST, RECORDS(struct pmuq_feature, values, n_values), .record = &value_record },
};
static const struct record_type feature_record = { .name = "feature", FIELDS(feature_fields) };

static const struct field event_fields[] = {
	{ .name = STR("name"),         .type = FIELD_TEXT,  .flags = FIELD_NULLABLE, OF_EVENT(name), .help = "perf's name for it" },
	{ .name = STR("attr"),         .type = FIELD_ATTR,  OF_EVENT(attr) },
	{ .name = STR("attr_size"),    .type = FIELD_COUNT, OF_EVENT(attr_size), .unit = "bytes", .help = "as in the file" },
	{ .name = STR("unknown_tail"), .type = FIELD_BOOL,  OF_EVENT(has_unknown_tail), .help = "it contains bits that pmuq does not know" },
	{ .name = STR("unit"),         .type = FIELD_TEXT,  OF_EVENT(unit) },
	{ .name = STR("scale"),        .type = FIELD_TEXT,  OF_EVENT(scale) },
	{ .name = STR("leader"),       .type = FIELD_COUNT, OF_EVENT(leader), .help = "index of the group's leader; its own if it is in no group" },
	{ .name = STR("group_size"),   .type = FIELD_COUNT, OF_EVENT(n_members), .help = "1: in no group" },
	{ .name = STR("group_name"),   .type = FIELD_TEXT,  .flags = FIELD_NULLABLE, OF_EVENT(group_name) },
	{ .name = STR("ids"),          .type = FIELD_WORD,  .flags = FIELD_LIST, ITEMS(struct pmuq_recorded_event, ids, n_ids), .help = "numbers that its samples carry" },
};
static const struct record_type event_record = { .name = "event", .help = "An event of a recording", FIELDS(event_fields) };

static const struct field recording_fields[] = {
	{ .name = STR("form"),       .type = FIELD_TEXT,   OF_CONTENT(is_stream), WORDS(form_words), .help = "stream: of perf record -o -" },
	{ .name = STR("byte_order"), .type = FIELD_TEXT,   OF_CONTENT(is_big_endian), WORDS(order_words) },
	{ .name = STR("machine"),    .type = FIELD_RECORD, MEMBER(struct decoded, machine), .record = &machine_record },
	{ .name = STR("features"),   .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_feature, .record = &feature_record },
	{ .name = STR("events"),     .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_event, .record = &event_record },
	{ .name = STR("problems"),   .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_problem, .record = &error_record,
	  .help = "parts that are cut off or contradictory" },
};
static const struct record_type recording_record = { .name = "recording", .help = "A perf.data file", FIELDS(recording_fields) };
// clang-format on

/* ---------------------------------------------------------------------------------------- rows */

static const char *const variants[] = { "true", "false", NULL };

static size_t variant(const void *of)
{
	return ROW->error != NULL;
}

static bool get_recording(const void *of, struct cell *cell)
{
	cell->record = of;
	return ROW->recording;
}

/* Members of a group are one string; cursor: the attr to continue with. */
static bool get_string(const void *of, struct cell *cell)
{
	const struct decode_input *input = ROW->input;

	while (cell->cursor < input->n && input->v[cell->cursor].is_later)
		cell->cursor++;
	if (cell->cursor >= input->n)
		return false;
	decode_print_string(cell->scratch, input, cell->cursor++);
	cell->text = pq_buf_str(cell->scratch);
	return true;
}

static bool get_error(const void *of, struct cell *cell)
{
	return cell_set_record(cell, (struct shown_error){ .error = ROW->error,
							   .input = ROW->text,
							   .file = ROW->where });
}

// clang-format off
static const struct field row_fields[] = {
	{ .name = STR("input"),     .type = FIELD_TEXT,   MEMBER(struct decoded, text), .help = "the attr, its event string, or the file" },
	{ .name = STR("ok"),        .type = FIELD_BOOL,   .help = "it was decoded" },
	{ .name = STR("recording"), .type = FIELD_RECORD, .flags = FIELD_OPTIONAL, .in = IN_VARIANT(0), .get = get_recording,
	  .record = &recording_record },
	{ .name = STR("strings"),   .type = FIELD_TEXT,   .flags = FIELD_LIST, .in = IN_VARIANT(0), .get = get_string,
	  .help = "one for each attr that is in no group, and for each group" },
	{ .name = STR("decodings"), .type = FIELD_RECORD, .flags = FIELD_LIST, .in = IN_VARIANT(0), VIA(struct decoded, input), RECORDS(struct decode_input, v, n),
	  .record = &decoding_record, .help = "one for each attr" },
	{ .name = STR("error"),     .type = FIELD_RECORD, .in = IN_VARIANT(1), .get = get_error, .record = &error_record },
};
// clang-format on

static const struct record_type row_record = {
	.name = "input",
	.tag = STR("ok"),
	.variants = variants,
	.variant = variant,
	FIELDS(row_fields),
};

const struct document_type decode_document = {
	.name = "decode",
	.title = "pmuq decode",
	.rows = "inputs",
	.row = &row_record,
};
