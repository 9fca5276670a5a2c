/* SPDX-License-Identifier: MIT */
/*
 * The result of an event string as records: what the documents of encode, explain and check share.
 * Each command adds its own fields to an encoding.
 */
#pragma once

#include "cli/events/encode_output.h"
#include "cli/output/error_record.h"

/* An encoding of a result, by its index. */
struct shown_encoding {
	const struct result *result;
	const struct pmuq_encoding *encoding;
	size_t index;
	const struct pmuq_open_result *open; /* NULL: not opened */
	const struct pmuq_count *count;	     /* NULL: not counted */
};

/* Of struct shown_encoding: the encoding itself, and whether it opened. */
extern const struct record_type encoded_record;
extern const struct record_type compact_encoded_record; /* of --compact */
bool get_open(const void *of, struct cell *cell);

/* The outcome of opening: a result, or the reason why nothing was opened. */
struct shown_open {
	const struct pmuq_open_result *result; /* NULL: skipped */
	const char *skipped;
};
extern const struct record_type open_record;

/* Of struct result: the getters of its fields. Commands differ in the type of the encodings. */
extern const char *const result_variants[];
size_t result_variant(const void *of);
bool get_encoding(const void *of, struct cell *cell);
bool get_error(const void *of, struct cell *cell);

// clang-format off
#define RESULT_FIELDS(encoding_type) \
	{ .name = STR("input"), .type = FIELD_TEXT, MEMBER(struct result, input), .help = "the event string" }, \
	{ .name = STR("ok"), .type = FIELD_BOOL, .help = "it is valid" }, \
	{ .name = STR("encodings"), .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_encoding, \
	  .record = (encoding_type), .in = IN_VARIANT(0) }, \
	{ .name = STR("error"), .type = FIELD_RECORD, .get = get_error, \
	  .record = &error_record, .in = IN_VARIANT(1) }
#define RESULT_VARIANTS .tag = STR("ok"), .variants = result_variants, .variant = result_variant
// clang-format on
