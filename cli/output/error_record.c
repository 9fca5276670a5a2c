/* SPDX-License-Identifier: MIT */
/* The fields of errors and problems. Offsets are in bytes; a reader that draws carets converts
 * them. */
#include "cli/output/error_record.h"
#include <string.h>

#define ERROR ((const struct shown_error *)of)
#define PROBLEM ((const struct pmuq_problem *)of)

const char *errno_word(unsigned errnum)
{
	return errnum ? pmuq_errno_name((int)errnum) : NULL;
}

static bool get_code(const void *of, struct cell *cell)
{
	return cell_print(cell, "PMUQ-%03d", ERROR->error->code);
}

/* Omitted if it is the text that the surrounding record already contains. */
static bool get_input(const void *of, struct cell *cell)
{
	cell->text = ERROR->error->input;
	return cell->text.n && !str_eq(cell->text, str_of(ERROR->input));
}

static bool get_at(const void *of, struct cell *cell)
{
	if (!ERROR->line)
		return cell_set_text(cell, ERROR->file);
	return cell_print(cell, "%s:%zu", ERROR->file, ERROR->line);
}

static bool get_problem_code(const void *of, struct cell *cell)
{
	return cell_print(cell, "PMUQ-%03d", PROBLEM->code);
}

#define OF_ERROR(name) MEMBER_OF(struct shown_error, error, struct pmuq_error, name)
#define OF_PROBLEM(name) MEMBER(struct pmuq_problem, name)

// clang-format off
static const struct field error_fields[] = {
	{ .name = STR("code"),    .type = FIELD_TEXT,  .get = get_code, .pattern = PATTERN_CODE,
	  .help = "stable forever; see `pmuq help CODE`" },
	{ .name = STR("name"),    .type = FIELD_TEXT,  .word = pmuq_code_name, OF_ERROR(code), .pattern = PATTERN_CODE_NAME,
	  .help = "name of the code" },
	{ .name = STR("message"), .type = FIELD_TEXT,  OF_ERROR(message), .help = "one sentence" },
	{ .name = STR("offset"),  .type = FIELD_COUNT, OF_ERROR(offset), .unit = "bytes",
	  .help = "where in the input" },
	{ .name = STR("length"),  .type = FIELD_COUNT, OF_ERROR(length), .unit = "bytes",
	  .help = "0: just before that byte" },
	{ .name = STR("hint"),    .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, OF_ERROR(hint),
	  .help = "what to do about it" },
	{ .name = STR("origin"),  .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, OF_ERROR(origin),
	  .help = "the file or directory concerned" },
	{ .name = STR("input"),   .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, .get = get_input,
	  .help = "what the offset points into if it is another text, such as an event's terms" },
	{ .name = STR("at"),      .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, .get = get_at,
	  .help = "FILE:LINE of the input, with -f" },
};

static const struct field problem_fields[] = {
	{ .name = STR("path"),    .type = FIELD_TEXT,  .flags = FIELD_SHOWN, .width = 16, OF_PROBLEM(path),
	  .help = "the file" },
	{ .name = STR("line"),    .type = FIELD_COUNT, .flags = FIELD_NULLABLE | FIELD_UNLESS_0, .width = 4, OF_PROBLEM(line),
	  .help = "line of the file" },
	{ .name = STR("code"),    .type = FIELD_TEXT,  .flags = FIELD_SHOWN, .width = 8, .get = get_problem_code,
	  .pattern = PATTERN_CODE, .help = "see `pmuq help CODE`" },
	{ .name = STR("name"),    .type = FIELD_TEXT,  .width = 8, .word = pmuq_code_name, OF_PROBLEM(code),
	  .pattern = PATTERN_CODE_NAME, .help = "name of the code" },
	{ .name = STR("message"), .type = FIELD_TEXT,  .flags = FIELD_SHOWN, .width = 16, OF_PROBLEM(message),
	  .help = "the problem in a sentence" },
	{ .name = STR("errno"),   .type = FIELD_NUMBER, .flags = FIELD_NULLABLE | FIELD_UNLESS_0, .width = 4, OF_PROBLEM(errnum),
	  .help = "errno of reading it" },
};
// clang-format on

const struct record_type error_record = { .name = "error", FIELDS(error_fields) };
const struct record_type problem_record = { .name = "problem", FIELDS(problem_fields) };
