/* SPDX-License-Identifier: MIT */
/* The document of `pmuq fit`: for each string the sets of events that may compete. */
#include "cli/events/event_records.h"
#include "cli/events/fit_output.h"

#define RESULT ((const struct result *)of)
#define SET ((const struct shown_fit *)of)
#define MEMBER_OF_SET ((const struct shown_member *)of)

/* An event of a set. */
struct shown_member {
	const struct shown_fit *of;
	const struct pmuq_fit_event *member;
};

static bool get_name(const void *of, struct cell *cell)
{
	cell->text = pmuq_encodings_get(MEMBER_OF_SET->of->result->encodings,
					MEMBER_OF_SET->member->encoding)
			     ->name;
	return true;
}

static bool get_member(const void *of, struct cell *cell)
{
	const struct pmuq_fit_event *member =
		pmuq_fit_member(SET->result->fit, SET->index, cell->index);

	return member && cell_set_record(cell, (struct shown_member){ SET, member });
}

static bool get_set(const void *of, struct cell *cell)
{
	const struct pmuq_fit_set *set = pmuq_fit_get(RESULT->fit, cell->index);

	return set && cell_set_record(cell, (struct shown_fit){ RESULT, set, cell->index });
}

static const char *status_word(unsigned index)
{
	return pmuq_fit_status_name((enum pmuq_fit_status)index);
}

#define OF_MEMBER(name) MEMBER_OF(struct shown_member, member, struct pmuq_fit_event, name)
#define OF_SET(name) MEMBER_OF(struct shown_fit, set, struct pmuq_fit_set, name)
#define OF_ENCODING(name) MEMBER_OF(struct shown_encoding, encoding, struct pmuq_encoding, name)

// clang-format off
static const struct field encoding_fields[] = {
	{ .name = STR("name"),     .type = FIELD_TEXT,   OF_ENCODING(name), .help = "as written, or the value of name=" },
	{ .name = STR("pmu"),      .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, OF_ENCODING(pmu) },
};
static const struct record_type encoding_record = { .name = "encoding", FIELDS(encoding_fields) };

static const struct field member_fields[] = {
	{ .name = STR("encoding"), .type = FIELD_COUNT,  OF_MEMBER(encoding), .help = "its index in encodings" },
	{ .name = STR("name"),     .type = FIELD_TEXT,   .get = get_name },
	{ .name = STR("counters"), .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, OF_MEMBER(counters), .help = "counters that can count it; none: it needs no counter; own: it has one of its own; null: not known" },
	{ .name = STR("counter"),  .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, OF_MEMBER(counter), .help = "the one that it has in its part" },
	{ .name = STR("register"), .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, OF_MEMBER(needs), .help = "that it needs with a value of its own" },
	{ .name = STR("part"),     .type = FIELD_COUNT,  OF_MEMBER(part), .help = "of the split, from 0" },
	{ .name = STR("competes"), .type = FIELD_BOOL,   OF_MEMBER(competes), .help = "the reason is about it" },
	{ .name = STR("is_added"), .type = FIELD_BOOL,   OF_MEMBER(is_added), .help = "pmuq added it" },
	{ .name = STR("alone"),    .type = FIELD_BOOL,   OF_MEMBER(is_taken_alone), .help = "by the vendor's table it must be counted alone" },
};
static const struct record_type member_record = { .name = "member", FIELDS(member_fields) };

static const struct field set_fields[] = {
	{ .name = STR("pmu"),      .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, OF_SET(pmu), .help = "the first of its instances" },
	{ .name = STR("n_pmus"),   .type = FIELD_COUNT,  OF_SET(n_pmus), .help = "instances with the same events" },
	{ .name = STR("leader"),   .type = FIELD_COUNT,  .flags = FIELD_NULLABLE | FIELD_UNLESS_MAX, OF_SET(leader), .help = "of the group, its index in encodings; null: all events of the PMU, which take turns" },
	{ .name = STR("counts"),   .type = FIELD_TEXT,   .word = status_word, OF_SET(counts), .help = "they can be counted at the same time" },
	{ .name = STR("opens"),    .type = FIELD_TEXT,   .word = status_word, OF_SET(opens), .help = "the kernel should open the group" },
	{ .name = STR("counters"), .type = FIELD_COUNT,  OF_SET(n_counters), .help = "how many they need" },
	{ .name = STR("reason"),   .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, OF_SET(reason), .help = "who competes for what, or what is not known" },
	{ .name = STR("parts"),    .type = FIELD_COUNT,  .flags = FIELD_NULLABLE | FIELD_UNLESS_0, OF_SET(n_parts), .help = "the smallest number of parts that fit" },
	{ .name = STR("split"),    .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, OF_SET(split), .help = "the parts as event strings" },
	{ .name = STR("smallest"), .type = FIELD_BOOL,   OF_SET(is_smallest), .help = "no split has fewer parts" },
	{ .name = STR("members"),  .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_member, .record = &member_record },
};
static const struct record_type set_record = { .name = "set", .help = "Events that may compete", FIELDS(set_fields) };

static const struct field fields[] = {
	RESULT_FIELDS(&encoding_record),
	{ .name = STR("sets"), .type = FIELD_RECORD, .flags = FIELD_LIST, .in = IN_VARIANT(0), .get = get_set, .record = &set_record, .help = "groups first, then PMUs" },
};
// clang-format on

static const struct record_type record = { .name = "input", RESULT_VARIANTS, FIELDS(fields) };

const struct document_type fit_document = {
	.name = "fit",
	.title = "pmuq fit",
	.rows = "inputs",
	.row = &record,
};
