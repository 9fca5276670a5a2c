/* SPDX-License-Identifier: MIT */
/* The result of a formula as a row of a document. */
#include "cli/metrics/formula_run.h"
#include "cli/output/error_record.h"
#include <math.h>

#define RUN ((const struct formula_run *)of)

static const char *const variants[] = { "true", "false", NULL };

static const char *const reasons[] = {
	"known", "not-counted", "divided-by-0", "too-large", "bad-remainder", "nan", NULL,
};

static size_t variant(const void *of)
{
	return RUN->error != NULL;
}

/* With all digits; a value that is not finite is not a number of JSON. */
static bool get_value(const void *of, struct cell *cell)
{
	return isfinite(RUN->result.value) && cell_print(cell, "%.17g", RUN->result.value);
}

static bool get_event(const void *of, struct cell *cell)
{
	if (cell->index >= pmuq_names_count(RUN->events))
		return false;
	cell->text = str_of(pmuq_names_get(RUN->events, cell->index));
	return true;
}

static bool get_error(const void *of, struct cell *cell)
{
	return cell_set_record(cell, (struct shown_error){ .error = RUN->error,
							   .input = RUN->text,
							   .file = RUN->where });
}

// clang-format off
static const struct field fields[] = {
	{ .name = STR("formula"), .type = FIELD_TEXT,    MEMBER(struct formula_run, text), .help = "the formula" },
	{ .name = STR("ok"),      .type = FIELD_BOOL,    .help = "it was evaluated" },
	{ .name = STR("value"),   .type = FIELD_LITERAL, .flags = FIELD_NULLABLE, .in = IN_VARIANT(0), .get = get_value,
	  .help = "null if it is not known" },
	{ .name = STR("reason"),  .type = FIELD_TEXT,    .in = IN_VARIANT(0), MEMBER(struct formula_run, result.reason), WORDS(reasons),
	  .help = "why it is not known" },
	{ .name = STR("offset"),  .type = FIELD_COUNT,   .in = IN_VARIANT(0), MEMBER(struct formula_run, result.offset), .unit = "bytes",
	  .help = "in the formula, of what made it unknown" },
	{ .name = STR("length"),  .type = FIELD_COUNT,   .in = IN_VARIANT(0), MEMBER(struct formula_run, result.length), .unit = "bytes",
	  .help = "of that in the formula" },
	{ .name = STR("events"),  .type = FIELD_TEXT,    .flags = FIELD_LIST, .in = IN_VARIANT(0), .get = get_event,
	  .help = "that must be counted" },
	{ .name = STR("error"),   .type = FIELD_RECORD,  .in = IN_VARIANT(1), .get = get_error, .record = &error_record },
};
// clang-format on

static const struct record_type row_record = {
	.name = "result",
	.tag = STR("ok"),
	.variants = variants,
	.variant = variant,
	FIELDS(fields),
};

const struct document_type metric_document = {
	.name = "metric",
	.title = "pmuq metric",
	.rows = "results",
	.row = &row_record,
};
