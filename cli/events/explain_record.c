/* SPDX-License-Identifier: MIT */
/*
 * Encodings with their assignments, as the document of `pmuq explain`. The fields of the attr are
 * the OR of the values that are not overridden: a reader of the document can check that.
 */
#include "cli/events/event_records.h"
#include "cli/events/explain_output.h"

#define SHOWN ((const struct shown_encoding *)of)

static bool get_assignment(const void *of, struct cell *cell)
{
	cell->record = pmuq_encoding_assignment(SHOWN->encoding, cell->index);
	return cell->record;
}

#define OF(name) MEMBER(struct pmuq_assignment, name)

// clang-format off
static const struct field assignment_fields[] = {
	{ .name = STR("term"),       .type = FIELD_TEXT,  OF(term), .help = "as written; of the type, the PMU" },
	{ .name = STR("field"),      .type = FIELD_TEXT,  OF(field), .help = "field of the attr" },
	{ .name = STR("mask"),       .type = FIELD_WORD,  OF(mask), .help = "bits of the field that it assigns" },
	{ .name = STR("value"),      .type = FIELD_WORD,  OF(value), .help = "value of these bits, in place" },
	{ .name = STR("number"),     .type = FIELD_WORD,  OF(number), .help = "the value before it was spread over the mask" },
	{ .name = STR("format"),     .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, OF(format), .help = "text of the format" },
	{ .name = STR("from"),       .type = FIELD_TEXT,  .word = pmuq_cause_name, OF(cause), .help = "origin of the value" },
	{ .name = STR("event"),      .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, OF(event), .help = "sysfs event that has the term" },
	{ .name = STR("origin"),     .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, OF(origin), .help = "file of that event, or of the PMU" },
	{ .name = STR("input"),      .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, OF(input), .help = "what the offset points into: the event's terms" },
	{ .name = STR("offset"),     .type = FIELD_COUNT, OF(offset), .unit = "bytes", .help = "where the term begins" },
	{ .name = STR("length"),     .type = FIELD_COUNT, OF(length), .unit = "bytes" },
	{ .name = STR("overridden"), .type = FIELD_BOOL,  OF(is_overridden), .help = "a later one replaced its value" },
};
static const struct record_type assignment_record = { .name = "assignment", FIELDS(assignment_fields) };

static const struct field encoding_fields[] = {
	{ .name = STR("assignments"), .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_assignment, .record = &assignment_record,
	  .help = "in the order in which they were made" },
};
static const struct record_type encoding_record = { .name = "encoding", .base = &encoded_record, FIELDS(encoding_fields) };
// clang-format on

static const struct field result_fields[] = { RESULT_FIELDS(&encoding_record) };
static const struct record_type result_record = { .name = "input",
						  RESULT_VARIANTS,
						  FIELDS(result_fields) };

const struct document_type explain_document = {
	.name = "explain",
	.title = "pmuq explain",
	.rows = "inputs",
	.row = &result_record,
};
