/* SPDX-License-Identifier: MIT */
/*
 * Encodings and their open results, as records of documents. Other commands add their own fields to
 * the encoding (encode_open.c, explain_record.c, check_record.c), or use one of the records (show).
 */
#include "cli/events/event_records.h"
#include <string.h>

#define SHOWN ((const struct shown_encoding *)of)
#define RESULT ((const struct result *)of)

/* ----------------------------------------------------------------------------------- encodings */

static bool get_probe(const void *of, struct cell *cell)
{
	cell->record = SHOWN->encoding;
	return SHOWN->encoding->probe_text.p;
}

static bool get_group(const void *of, struct cell *cell)
{
	cell->record = SHOWN->encoding;
	return SHOWN->encoding->n_members > 0;
}

/* A map from the term to its value, which is a number or a text as it was written. */
static bool get_tool_term(const void *of, struct cell *cell)
{
	const struct pmuq_tool_term *term = NULL;

	if (cell->index < SHOWN->encoding->n_tool_terms)
		term = pmuq_encoding_tool_term(SHOWN->encoding, cell->index);
	if (!term)
		return false;
	cell->key = term->name;
	cell->text = term->text;
	cell->type = term->is_number ? FIELD_LITERAL : FIELD_TEXT;
	return true;
}

static bool get_from(const void *of, struct cell *cell)
{
	cell->record = SHOWN->encoding;
	return true;
}

static bool get_table(const void *of, struct cell *cell)
{
	cell->record = SHOWN->encoding->table;
	return SHOWN->encoding->table;
}

static bool get_warning(const void *of, struct cell *cell)
{
	size_t n_own = SHOWN->encoding->n_warnings;
	const struct pmuq_error *warning =
		cell->index < n_own
			? pmuq_encoding_warning(SHOWN->encoding, cell->index)
			: result_fit_warning(SHOWN->result, SHOWN->index, cell->index - n_own);

	return warning &&
	       cell_set_record(cell, (struct shown_error){ .error = warning,
							   .input = SHOWN->result->input });
}

#define OF(name) MEMBER_OF(struct shown_encoding, encoding, struct pmuq_encoding, name)
#define OF_ENCODING(name) MEMBER(struct pmuq_encoding, name)

// clang-format off
static const struct field probe_fields[] = {
	{ .name = STR("field"), .type = FIELD_TEXT, OF_ENCODING(probe_field), .help = "member of the attr" },
	{ .name = STR("text"),  .type = FIELD_TEXT, OF_ENCODING(probe_text) },
};
static const struct record_type probe_record = {
	.name = "probe", .help = "A text whose address the kernel needs; 0 in the attr", FIELDS(probe_fields),
};

static const struct field group_fields[] = {
	{ .name = STR("leader"),  .type = FIELD_COUNT, OF_ENCODING(leader), .help = "its index in encodings" },
	{ .name = STR("members"), .type = FIELD_COUNT, OF_ENCODING(n_members), .help = "number of members with the leader" },
	{ .name = STR("name"),    .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, OF_ENCODING(group_name) },
};
static const struct record_type group_record = { .name = "group", FIELDS(group_fields) };

static const struct field from_fields[] = {
	{ .name = STR("index"),  .type = FIELD_COUNT, OF_ENCODING(event), .help = "among the events of the string, from 0" },
	{ .name = STR("offset"), .type = FIELD_COUNT, OF_ENCODING(offset), .help = "where it begins, in bytes" },
	{ .name = STR("length"), .type = FIELD_COUNT, OF_ENCODING(length), .help = "in bytes" },
};
static const struct record_type from_record = {
	.name = "from", .help = "The written event that it comes from", FIELDS(from_fields),
};

#define OF_TABLE(name) MEMBER(struct pmuq_vendor_table, name)

static const struct field table_fields[] = {
	{ .name = STR("name"),    .type = FIELD_TEXT, OF_TABLE(import), .help = "of the import" },
	{ .name = STR("file"),    .type = FIELD_TEXT, OF_TABLE(folder), .help = "the folder of the CPU in it" },
	{ .name = STR("version"), .type = FIELD_TEXT, OF_TABLE(version), .help = "the vendor's version" },
};
static const struct record_type table_record = {
	.name = "table", .help = "The vendor's table that has the event", FIELDS(table_fields),
};

static const struct field encoded_fields[] = {
	{ .name = STR("name"),       .type = FIELD_TEXT, OF(name), .help = "as written, or the value of name=" },
	{ .name = STR("pmu"),        .type = FIELD_TEXT, .flags = FIELD_NULLABLE | FIELD_BRIEF, OF(pmu), .help = "null: no PMU has that type" },
	{ .name = STR("source"),     .type = FIELD_TEXT, .flags = FIELD_FULL, .word = pmuq_origin_name, OF(origin), .help = "source of the name" },
	{ .name = STR("attr"),       .type = FIELD_ATTR, .flags = FIELD_FULL, OF(attr) },
	{ .name = STR("attr_hex"),   .type = FIELD_HEX,  OF(attr), .help = "attr.size bytes in host order" },
	{ .name = STR("probe"),      .type = FIELD_RECORD, .flags = FIELD_OPTIONAL, .get = get_probe, .record = &probe_record },
	{ .name = STR("cpus"),       .type = FIELD_TEXT, .flags = FIELD_BRIEF, OF(cpus), .help = "CPUs to open it on, as a list" },
	{ .name = STR("unit"),       .type = FIELD_TEXT, .flags = FIELD_BRIEF, OF(unit), .help = "unit of its counts times the scale" },
	{ .name = STR("scale"),      .type = FIELD_TEXT, .flags = FIELD_BRIEF, OF(scale), .help = "exact decimal text to multiply a count by" },
	{ .name = STR("per_pkg"),    .type = FIELD_BOOL, .flags = FIELD_BRIEF, OF(is_per_pkg), .help = "one count for each package" },
	{ .name = STR("snapshot"),   .type = FIELD_BOOL, .flags = FIELD_BRIEF, OF(is_snapshot), .help = "a state, not a count" },
	{ .name = STR("group"),      .type = FIELD_RECORD, .flags = FIELD_NULLABLE | FIELD_BRIEF, .get = get_group, .record = &group_record },
	{ .name = STR("tool_terms"), .type = FIELD_TEXT, .flags = FIELD_MAP | FIELD_MIXED | FIELD_BRIEF, .get = get_tool_term,
	  .help = "terms that a sampling or counting tool applies" },
	{ .name = STR("from"),       .type = FIELD_RECORD, .flags = FIELD_FULL, .get = get_from, .record = &from_record },
	{ .name = STR("added"),      .type = FIELD_BOOL, .flags = FIELD_BRIEF, OF(is_added), .help = "pmuq added it, because a written event needs it" },
	{ .name = STR("libpfm4_name"), .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, OF(libpfm4_name), .help = "the complete name in libpfm4" },
	{ .name = STR("description"), .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, OF(description), .help = "the vendor's description" },
	{ .name = STR("table"),      .type = FIELD_RECORD, .flags = FIELD_OPTIONAL, .get = get_table, .record = &table_record },
	{ .name = STR("warnings"),   .type = FIELD_RECORD, .flags = FIELD_LIST | FIELD_BRIEF, .get = get_warning, .record = &error_record },
};
const struct record_type encoded_record = { .name = "encoded", FIELDS(encoded_fields) };
const struct record_type compact_encoded_record = { .name = "encoded", .is_compact = true, FIELDS(encoded_fields) };
// clang-format on

/* ------------------------------------------------------------------------------------- opening */

#define OPEN ((const struct shown_open *)of)

static const char *const open_words[] = {
	[PMUQ_OPENED] = "opened",
	[PMUQ_REFUSED] = "refused",
	[PMUQ_SKIPPED] = "skipped",
	NULL,
};

#define IN_OPENED IN_VARIANT(PMUQ_OPENED)
#define IN_REFUSED IN_VARIANT(PMUQ_REFUSED)
#define IN_SKIPPED IN_VARIANT(PMUQ_SKIPPED)

static size_t open_variant(const void *of)
{
	return OPEN->result ? OPEN->result->status : PMUQ_SKIPPED;
}

/* "-1" or "8", but not "0,8" or "0-3" */
static bool is_one(struct pmuq_str cpus)
{
	return cpus.n && !cpus.p[1 + strspn(cpus.p + 1, "0123456789")];
}

static bool get_cpu(const void *of, struct cell *cell)
{
	cell->text = OPEN->result->cpus;
	return is_one(cell->text);
}

static bool get_cpus(const void *of, struct cell *cell)
{
	cell->text = OPEN->result->cpus;
	return !is_one(cell->text);
}

static bool get_reason(const void *of, struct cell *cell)
{
	return cell_set_text(cell, OPEN->result ? OPEN->result->reason.p : OPEN->skipped);
}

#define OF_OPEN(name) MEMBER_OF(struct shown_open, result, struct pmuq_open_result, name)

// clang-format off
static const struct field open_fields[] = {
	{ .name = STR("status"),     .type = FIELD_TEXT },
	{ .name = STR("pid"),        .type = FIELD_NUMBER,  .in = IN_OPENED, OF_OPEN(pid),
	  .help = "0: this task; -1: all on its CPUs, or all of the cgroup" },
	{ .name = STR("cpu"),        .type = FIELD_LITERAL, .flags = FIELD_OPTIONAL, .in = IN_OPENED, .get = get_cpu,
	  .help = "-1: any" },
	{ .name = STR("cpus"),       .type = FIELD_TEXT,    .flags = FIELD_OPTIONAL, .in = IN_OPENED, .get = get_cpus,
	  .help = "instead of cpu, if it was opened on several" },
	{ .name = STR("errno"),      .type = FIELD_NUMBER,  .in = IN_REFUSED, OF_OPEN(errnum) },
	{ .name = STR("errno_name"), .type = FIELD_TEXT,    .in = IN_REFUSED, .word = errno_word, OF_OPEN(errnum) },
	{ .name = STR("reason"),     .type = FIELD_TEXT,    .in = IN_REFUSED | IN_SKIPPED, .get = get_reason },
	{ .name = STR("hint"),       .type = FIELD_TEXT,    .flags = FIELD_OPTIONAL, .in = IN_REFUSED, OF_OPEN(hint) },
	{ .name = STR("change"),     .type = FIELD_TEXT,    .flags = FIELD_OPTIONAL, .in = IN_REFUSED, OF_OPEN(change),
	  .help = "the smallest change that opens, as tried" },
};
// clang-format on

const struct record_type open_record = {
	.name = "open",
	.help = "The result of opening it on the running kernel",
	.tag = STR("status"),
	.variants = open_words,
	.variant = open_variant,
	FIELDS(open_fields),
};

/* There is a status even if nothing was opened: "skipped", with the reason. */
bool get_open(const void *of, struct cell *cell)
{
	return cell_set_record(cell, (struct shown_open){ .result = SHOWN->open,
							  .skipped = SHOWN->result->skipped });
}

/* ------------------------------------------------------------------------------------- results */

const char *const result_variants[] = { "true", "false", NULL };

size_t result_variant(const void *of)
{
	return RESULT->error ? 1 : 0;
}

bool get_encoding(const void *of, struct cell *cell)
{
	struct shown_encoding shown = { .result = RESULT, .index = cell->index };

	if (RESULT->encodings)
		shown.encoding = pmuq_encodings_get(RESULT->encodings, cell->index);
	if (RESULT->opens)
		shown.open = pmuq_open_results_get(RESULT->opens, cell->index);
	if (RESULT->counts)
		shown.count = pmuq_counts_get(RESULT->counts, cell->index);
	return shown.encoding && cell_set_record(cell, shown);
}

bool get_error(const void *of, struct cell *cell)
{
	return cell_set_record(cell, (struct shown_error){ .error = RESULT->error,
							   .input = RESULT->input,
							   .file = RESULT->file,
							   .line = RESULT->line });
}
