/* SPDX-License-Identifier: MIT */
/* The list of events: its columns, whatever source a row comes from. Where they come from is
 * list_sources.c's business. */
#include "cli/tables/list.h"
#include <fnmatch.h>
#include <string.h>

#define ROW ((const struct list_row *)of)

CELL(event)
{
	return list_text_of(ROW->event.name);
}

CELL(terms)
{
	return list_text_of(ROW->event.terms);
}

CELL(unit)
{
	return list_text_of(ROW->event.unit);
}

CELL(scale)
{
	return list_text_of(ROW->event.scale);
}

CELL(source)
{
	return list_text_of(pmuq_origin_name(ROW->event.origin));
}

/* An event that wants a parameter cannot be opened as it stands, and was skipped. */
CELL(opens)
{
	const struct list_event *event = &ROW->event;
	const struct pmuq_check_result *answer =
		ROW->check && (event->origin & (PMUQ_FROM_SYSFS | PMUQ_FROM_GENERIC))
			? pmuq_check_find(ROW->check, ROW->pmu->name.p, event->name)
			: NULL;
	char *text = NULL;

	if (!answer)
		return NULL;
	if (answer->open->status != PMUQ_REFUSED)
		return strdup(answer->open->status == PMUQ_OPENED ? "yes" : "skipped");
	return asprintf(&text, "no: %s", pmuq_errno_name(answer->open->errnum)) < 0 ? NULL : text;
}

CELL(deprecated)
{
	return list_claim_of(ROW->event.is_deprecated);
}

CELL(per_pkg)
{
	return list_claim_of(ROW->event.is_per_pkg);
}

CELL(snapshot)
{
	return list_claim_of(ROW->event.is_snapshot);
}

CELL(string)
{
	char *text = NULL;

	if (ROW->event.string)
		return strdup(ROW->event.string);
	return asprintf(&text, "%s/%s/", ROW->pmu->name.p, ROW->event.name) < 0 ? NULL : text;
}

CELL(topic)
{
	return list_text_of(ROW->event.topic);
}

CELL(description)
{
	return list_text_of(ROW->event.description);
}

#define SHOWN COLUMN_DEFAULT
#define CLAIM COLUMN_BOOLEAN
#define MAYBE COLUMN_NULLABLE
#define WRAP COLUMN_WRAP
#define FOLDS COLUMN_FOLDS
#define SPARE COLUMN_SPARE
#define CHECKED COLUMN_CHECKED
#define SOURCED COLUMN_SOURCED
#define ROOMY COLUMN_ROOMY

// clang-format off
static const struct column event_columns[] = {
	{ "PMU",         8,   SHOWN | FOLDS,   "the PMU that has it",               list_cell_pmu },
	{ "EVENT",       8,   SHOWN,           "its name",                          cell_event },
	{ "TERMS",       0.4, SHOWN | WRAP,    "what it stands for",                cell_terms },
	{ "UNIT",        4,   SHOWN,           "of a count times the scale",        cell_unit },
	{ "SCALE",       4,   SHOWN,           "what to multiply a count by, exact",cell_scale },
	{ "OPENS",       9,   CHECKED | MAYBE, "what the kernel said (scan --check)", cell_opens },
	{ "SOURCE",      7,   SOURCED,         "where the name comes from",         cell_source },
	{ "DEPRECATED",  3,   SOURCED | SPARE | CLAIM,
					       "the vendor would rather have another", cell_deprecated },
	{ "DESCRIPTION", 0.4, ROOMY | WRAP | MAYBE,
					       "what the vendor says",              cell_description },
	{ "TOPIC",       8,   MAYBE,           "the vendor's, of the description",  cell_topic },
	{ "PER_PKG",     3,   CLAIM,           "one count a package",               cell_per_pkg },
	{ "SNAPSHOT",    3,   CLAIM,           "a state, not a count since",        cell_snapshot },
	{ "STRING",      8,   0,               "the event string, PMU/EVENT/",      cell_string },
};
// clang-format on

static bool event_row(const struct list_place *place, size_t index, struct list_row *ret)
{
	*ret = (struct list_row){ .catalog = place->catalog, .pmu = place->pmu };
	if (index >= place->events->n)
		return false;
	ret->event = place->events->at[index];
	return true;
}

/* Names of vendors are known in any case. */
static bool event_matches(const struct list_row *row, const char *glob)
{
	int flags = row->event.origin & (PMUQ_FROM_JSON | PMUQ_FROM_PFM) ? FNM_CASEFOLD : 0;

	return list_part_matches(row, row->event.name, glob, flags) ||
	       (row->event.string && fnmatch(glob, row->event.string, flags) == 0);
}

const struct list_kind list_kind_events = {
	.name = "events",
	.one = "event",
	.columns = event_columns,
	.n_columns = COUNT(event_columns),
	.row = event_row,
	.matches = event_matches,
	.is_of_events = true,
};
