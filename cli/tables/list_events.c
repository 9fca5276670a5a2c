/* SPDX-License-Identifier: MIT */
/* The list of events: the fields of its rows, for all sources. The sources: list_sources.c. */
#include "cli/tables/list.h"
#include "core/attr/attr.h"
#include <fnmatch.h>
#include <string.h>

#define ROW ((const struct list_row *)of)

/* An event with a parameter cannot be opened as it is, and was skipped. */
static bool get_opens(const void *of, struct cell *cell)
{
	const struct list_event *event = &ROW->event;
	const struct pmuq_check_result *result =
		ROW->check && (event->origin & (PMUQ_FROM_SYSFS | PMUQ_FROM_GENERIC))
			? pmuq_check_find(ROW->check, ROW->pmu->name.p, event->name)
			: NULL;

	if (!result)
		return false;
	if (result->open->status == PMUQ_REFUSED)
		return cell_print(cell, "no: %s", pmuq_errno_name(result->open->errnum));
	return cell_set_text(cell, result->open->status == PMUQ_OPENED ? "yes" : "skipped");
}

/* The event string for `encode`; sources that have no PMU in sysfs have strings of their own. */
static bool get_string(const void *of, struct cell *cell)
{
	if (ROW->event.string)
		return cell_set_text(cell, ROW->event.string);
	return cell_print(cell, "%s/%s/", ROW->pmu->name.p, ROW->event.name);
}

const char *list_generic_term(uint32_t type)
{
	return type == PQ_TYPE_HARDWARE	  ? "legacy-hardware-config"
	       : type == PQ_TYPE_HW_CACHE ? "legacy-cache-config"
					  : "config";
}

#define OF_EVENT(name) MEMBER(struct list_row, event.name)

// clang-format off
static const struct field event_fields[] = {
	{ .name = STR("pmu"),         .type = FIELD_TEXT, .flags = FIELD_SHOWN | FIELD_FOLDS, .width = 8,
	  .get = list_get_pmu,        .help = "its PMU" },
	{ .name = STR("event"),       .type = FIELD_TEXT, .flags = FIELD_SHOWN, .width = 8,
	  OF_EVENT(name),             .help = "its name" },
	{ .name = STR("terms"),       .type = FIELD_TEXT, .flags = FIELD_SHOWN | FIELD_WRAP, .percent = 25,
	  OF_EVENT(terms),            .help = "the terms that it stands for" },
	{ .name = STR("unit"),        .type = FIELD_TEXT, .flags = FIELD_SHOWN, .width = 4,
	  OF_EVENT(unit),             .help = "unit of its counts times the scale" },
	{ .name = STR("scale"),       .type = FIELD_TEXT, .flags = FIELD_SHOWN, .width = 4,
	  OF_EVENT(scale),            .help = "exact decimal text to multiply a count by" },
	{ .name = STR("opens"),       .type = FIELD_TEXT, .flags = FIELD_CHECKED | FIELD_NULLABLE, .width = 9,
	  .get = get_opens,           .help = "whether it opened (scan --check)" },
	{ .name = STR("source"),      .type = FIELD_TEXT, .flags = FIELD_SOURCED, .width = 7,
	  .word = pmuq_origin_name, OF_EVENT(origin), .help = "source of its name" },
	{ .name = STR("deprecated"),  .type = FIELD_BOOL, .flags = FIELD_VENDOR | FIELD_SPARE, .width = 3,
	  OF_EVENT(is_deprecated),    .help = "the vendor advises another one" },
	{ .name = STR("description"), .type = FIELD_TEXT, .flags = FIELD_WIDE | FIELD_WRAP | FIELD_NULLABLE, .percent = 40,
	  OF_EVENT(description),      .help = "the vendor's description" },
	{ .name = STR("topic"),       .type = FIELD_TEXT, .flags = FIELD_NULLABLE, .width = 8,
	  OF_EVENT(topic),            .help = "the vendor's topic" },
	{ .name = STR("file"),        .type = FIELD_TEXT, .flags = FIELD_NULLABLE, .width = 16,
	  OF_EVENT(file),             .help = "the vendor's file that has it" },
	{ .name = STR("version"),     .type = FIELD_TEXT, .flags = FIELD_NULLABLE, .width = 6,
	  OF_EVENT(version),          .help = "the vendor's version of the file, or of the table" },
	{ .name = STR("per_pkg"),     .type = FIELD_BOOL, .width = 3,
	  OF_EVENT(is_per_pkg),       .help = "one count for each package" },
	{ .name = STR("snapshot"),    .type = FIELD_BOOL, .width = 3,
	  OF_EVENT(is_snapshot),      .help = "a state, not a count" },
	{ .name = STR("string"),      .type = FIELD_TEXT, .width = 8,
	  .get = get_string,          .help = "event string for encode" },
};
// clang-format on

const struct record_type list_event_record = { .name = "event", FIELDS(event_fields) };

const struct document_type list_events_document = {
	.name = "list-events",
	.title = "pmuq list events",
	.rows = "events",
	.row = &list_event_record,
	.is_table = true,
};

/* The events of a PMU were gathered before (list_sources.h). */
static bool event_row(const struct list_input *input, size_t index, struct list_row *ret)
{
	*ret = (struct list_row){ .pmu = input->pmu };
	if (index >= input->events->n)
		return false;
	ret->event = input->events->v[index];
	ret->name = ret->event.name;
	return true;
}

const struct list_type list_of_events = {
	.one = "event",
	.document = &list_events_document,
	.row = event_row,
	.is_of_events = true,
};
