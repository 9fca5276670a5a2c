/* SPDX-License-Identifier: MIT */
/* `pmuq show` as a document: a row for each PMU, event, metric, metric group or error that a NAME
 * of the command line refers to. The rows, formats and events of a PMU are those of `pmuq list`. */
#include "cli/events/event_records.h"
#include "cli/show/show.h"
#include "cli/tables/list.h"
#include <string.h>

/* `found` selects the member that is set. */
struct show_row {
	const struct shown_machine *machine;
	const struct shown_pmu *pmu;
	const struct shown_event *event;
	const struct full_metric *metric;
	const struct pmuq_metric_group *group;
	const struct shown_failure *failure;
	struct list_row *part; /* memory for a record of the PMU, or of the metric */
};

#define ROW ((const struct show_row *)of)

static const char *const found_words[] = { "pmu", "event", "error", "metric", "metricgroup", NULL };

enum {
	IN_PMU = IN_VARIANT(0),
	IN_EVENT = IN_VARIANT(1),
	IN_ERROR = IN_VARIANT(2),
	IN_METRIC = IN_VARIANT(3),
	IN_GROUP = IN_VARIANT(4),
};

static size_t variant(const void *of)
{
	return ROW->pmu ? 0 : ROW->event ? 1 : ROW->failure ? 2 : ROW->metric ? 3 : 4;
}

/* ---------------------------------------------------------------------------------------- PMUs */

static bool get_pmu(const void *of, struct cell *cell)
{
	*ROW->part = (struct list_row){ .catalog = ROW->machine->catalog, .pmu = ROW->pmu->pmu };
	cell->record = ROW->part;
	return true;
}

static bool get_instance(const void *of, struct cell *cell)
{
	const struct instances *instances = ROW->pmu->instances;

	if (cell->index >= instances->n)
		return false;
	cell->text = instances->v[cell->index]->name;
	return true;
}

static bool get_format(const void *of, struct cell *cell)
{
	get_pmu(of, cell);
	ROW->part->format = pmuq_pmu_format(ROW->pmu->pmu, cell->index);
	return ROW->part->format;
}

static bool get_event(const void *of, struct cell *cell)
{
	const struct list_events *events = ROW->pmu->events;

	get_pmu(of, cell);
	if (cell->index >= events->n)
		return false;
	ROW->part->event = events->v[cell->index];
	return true;
}

static const char *counters_source(unsigned index)
{
	return pmuq_counters_source_name((enum pmuq_counters_source)index);
}

/* What is known of them, or that they do not matter. */
static bool get_counters(const void *of, struct cell *cell)
{
	const struct pmuq_counters *counters = &ROW->pmu->counters;

	cell->record = counters;
	return counters->generic_source || counters->fixed_source || counters->is_unlimited;
}

static bool get_cap(const void *of, struct cell *cell)
{
	const struct pmuq_definition *definition = ROW->pmu->pmu->definition;

	if (cell->index >= definition->n_caps)
		return false;
	cell->key = definition->caps[cell->index].name;
	cell->text = definition->caps[cell->index].text;
	return true;
}

/* The other files of the PMU's directory, as a map. */
static bool get_file(const void *of, struct cell *cell)
{
	const struct pmuq_pmu *pmu = ROW->pmu->pmu;

	/* Files that differ between the instances are omitted. */
	while (ROW->pmu->is_group && cell->cursor < pmu->n_attributes &&
	       !instances_have_same(ROW->pmu->instances, cell->cursor))
		cell->cursor++;
	if (cell->cursor >= pmu->n_attributes)
		return false;
	cell->key = pmu->attributes[cell->cursor].name;
	cell->text = pmu->attributes[cell->cursor++].text;
	return true;
}

bool show_is_of_pmu(const char *path, const char *pmu)
{
	size_t n = strlen(pmu);

	for (const char *at = path; (at = strstr(at, pmu)); at++)
		if (at > path && at[-1] == '/' && (at[n] == '/' || at[n] == 0))
			return true;
	return false;
}

/* Whether the problem is about a PMU of the row. */
static bool is_of_row(const struct shown_pmu *shown, const struct pmuq_problem *problem)
{
	if (!shown->is_group)
		return show_is_of_pmu(problem->path.p, shown->pmu->name.p);
	for (size_t i = 0; i < shown->instances->n; i++)
		if (show_is_of_pmu(problem->path.p, shown->instances->v[i]->name.p))
			return true;
	return false;
}

static bool get_problem(const void *of, struct cell *cell)
{
	const struct pmuq_problem *problem;

	do {
		problem = pmuq_catalog_problem(ROW->machine->catalog, cell->cursor++);
	} while (problem && !is_of_row(ROW->pmu, problem));
	cell->record = problem;
	return problem;
}

/* -------------------------------------------------------------------------------------- events */

/* Warnings refer to the string of the command line, which the row has as `input`. */
static bool get_encoded(const void *of, struct cell *cell)
{
	static const struct result nothing = { .input = "" };

	return cell_set_record(cell, (struct shown_encoding){ .result = &nothing,
							      .encoding = ROW->event->encoding });
}

static bool get_pmu_of_event(const void *of, struct cell *cell)
{
	const struct fold *fold = ROW->event->fold;

	if (cell->index >= fold->n)
		return false;
	cell->text = fold_get(fold, cell->index)->pmu;
	return cell->text.p;
}

static bool get_other(const void *of, struct cell *cell)
{
	if (cell->index >= ROW->event->others.n)
		return false;
	cell->text = ROW->event->others.v[cell->index]->name;
	return true;
}

static bool get_opened(const void *of, struct cell *cell)
{
	cell_set_record(cell, (struct shown_open){ .result = ROW->event->open });
	return ROW->event->open;
}

static bool get_checked(const void *of, struct cell *cell)
{
	if (!ROW->event->is_stored)
		return false;
	cell->number = pmuq_check_progress(ROW->machine->check)->time_s;
	return true;
}

/* ------------------------------------------------------------------------------------- metrics */

static bool get_metric(const void *of, struct cell *cell)
{
	*ROW->part =
		(struct list_row){ .plan = ROW->metric->plan, .planned = ROW->metric->planned };
	cell->record = ROW->part;
	return true;
}

static bool get_group(const void *of, struct cell *cell)
{
	cell->record = ROW->group;
	return true;
}

static bool get_string(const void *of, struct cell *cell)
{
	const char *string = ROW->metric->plan
				     ? planned_next_string(ROW->metric->plan, ROW->metric->planned,
							   &cell->cursor)
				     : NULL;

	cell->text = str_of(string);
	return string;
}

/* -------------------------------------------------------------------------------------- errors */

static bool get_failure(const void *of, struct cell *cell)
{
	return cell_set_record(cell, (struct shown_error){ .error = ROW->failure->error,
							   .input = ROW->failure->string });
}

#define OF_LISTED(name)                                                                            \
	MEMBER_OF_OF(struct show_row, event, struct shown_event, listed, struct pmuq_vendor_event, \
		     name)
#define OF_EVENT(name) MEMBER_OF(struct show_row, event, struct shown_event, name)
#define OF_FAILURE(pointer, pointed, name)                                                         \
	MEMBER_OF_OF(struct show_row, failure, struct shown_failure, pointer, pointed, name)

// clang-format off
static const struct field name_fields[] = {
	{ .name = STR("name"),   .type = FIELD_TEXT, MEMBER(struct shown_name, text) },
	{ .name = STR("source"), .type = FIELD_TEXT, .word = pmuq_origin_name, MEMBER(struct shown_name, origin) },
};
static const struct record_type name_record = { .name = "name", .help = "A name with the same bits", FIELDS(name_fields) };

#define COUNTERS(name) MEMBER(struct pmuq_counters, name)
static const struct field counters_fields[] = {
	{ .name = STR("generic"),        .type = FIELD_COUNT, COUNTERS(generic), .help = "for any event, at least" },
	{ .name = STR("generic_most"),   .type = FIELD_COUNT, COUNTERS(generic_most), .help = "at most" },
	{ .name = STR("generic_source"), .type = FIELD_TEXT,  .flags = FIELD_NULLABLE, .word = counters_source, COUNTERS(generic_source), .help = "from where that is known; null: it is not" },
	{ .name = STR("fixed"),          .type = FIELD_COUNT, COUNTERS(fixed), .help = "for one event each" },
	{ .name = STR("fixed_source"),   .type = FIELD_TEXT,  .flags = FIELD_NULLABLE, .word = counters_source, COUNTERS(fixed_source), .help = "from where that is known; null: it is not" },
	{ .name = STR("unlimited"),      .type = FIELD_BOOL,  COUNTERS(is_unlimited), .help = "each event has its own, or needs none" },
	{ .name = STR("watchdog"),       .type = FIELD_BOOL,  COUNTERS(has_watchdog), .help = "the NMI watchdog takes one" },
};
static const struct record_type counters_record = { .name = "counters", .help = "The counters of a PMU, of each CPU or instance", FIELDS(counters_fields) };

static const struct field row_fields[] = {
	{ .name = STR("input"),       .type = FIELD_TEXT,   MEMBER_OF(struct show_row, machine, struct shown_machine, input), .help = "NAME on the command line" },
	{ .name = STR("found"),       .type = FIELD_TEXT,   .help = "what it means" },

	{ .name = STR("pmu"),         .type = FIELD_RECORD, .in = IN_PMU, .get = get_pmu, .record = &list_pmu_record },
	{ .name = STR("instances"),   .type = FIELD_TEXT,   .flags = FIELD_LIST, .in = IN_PMU, .get = get_instance,
	  .help = "the PMU and its sibling instances" },
	{ .name = STR("files"),       .type = FIELD_TEXT,   .flags = FIELD_MAP, .in = IN_PMU, .get = get_file,
	  .help = "its other files, if they are the same for all instances that were named" },
	{ .name = STR("caps"),        .type = FIELD_TEXT,   .flags = FIELD_MAP, .in = IN_PMU, .get = get_cap, .help = "its capabilities" },
	{ .name = STR("counters"),    .type = FIELD_RECORD, .flags = FIELD_NULLABLE, .in = IN_PMU, .get = get_counters, .record = &counters_record, .help = "null: not known" },
	{ .name = STR("formats"),     .type = FIELD_RECORD, .flags = FIELD_LIST, .in = IN_PMU, .get = get_format, .record = &list_format_record },
	{ .name = STR("events"),      .type = FIELD_RECORD, .flags = FIELD_LIST, .in = IN_PMU, .get = get_event, .record = &list_event_record },
	{ .name = STR("problems"),    .type = FIELD_RECORD, .flags = FIELD_LIST, .in = IN_PMU, .get = get_problem, .record = &problem_record },

	{ .name = STR("encoding"),    .type = FIELD_RECORD, .in = IN_EVENT, .get = get_encoded, .record = &encoded_record },
	{ .name = STR("pmus"),        .type = FIELD_TEXT,   .flags = FIELD_LIST, .in = IN_EVENT, .get = get_pmu_of_event,
	  .help = "PMUs on which it is encoded in the same way" },
	{ .name = STR("terms"),       .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, .in = IN_EVENT, OF_EVENT(terms), .help = "that the name stands for" },
	{ .name = STR("description"), .type = FIELD_TEXT,   .flags = FIELD_LIST, .in = IN_EVENT, VIA(struct show_row, event), ITEMS(struct shown_event, about.v, about.n),
	  .help = "paragraphs of the vendor's description" },
	{ .name = STR("topic"),       .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, .in = IN_EVENT, OF_EVENT(topic), .help = "the vendor's topic" },
	{ .name = STR("file"),        .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, .in = IN_EVENT, OF_LISTED(file), .help = "the vendor's file that has it" },
	{ .name = STR("version"),     .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, .in = IN_EVENT, OF_LISTED(version), .help = "the vendor's version of the file, or of the table" },
	{ .name = STR("full_name"),   .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, .in = IN_EVENT, OF_EVENT(full_name), .help = "of libpfm4" },
	{ .name = STR("same_as"),     .type = FIELD_RECORD, .flags = FIELD_LIST, .in = IN_EVENT, VIA(struct show_row, event), RECORDS(struct shown_event, names.v, names.n), .record = &name_record },
	{ .name = STR("also_on"),     .type = FIELD_TEXT,   .flags = FIELD_LIST, .in = IN_EVENT, .get = get_other,
	  .help = "other PMUs with an event of that name" },
	{ .name = STR("open"),        .type = FIELD_RECORD, .flags = FIELD_NULLABLE, .in = IN_EVENT, .get = get_opened, .record = &open_record },
	{ .name = STR("checked"),     .type = FIELD_TIME,   .flags = FIELD_NULLABLE, .in = IN_EVENT, .get = get_checked,
	  .help = "when a stored machine was checked" },

	{ .name = STR("metric"),      .type = FIELD_RECORD, .in = IN_METRIC, .get = get_metric, .record = &list_metric_record },
	{ .name = STR("strings"),     .type = FIELD_TEXT,   .flags = FIELD_LIST, .in = IN_METRIC, .get = get_string,
	  .help = "event strings by which its events are counted" },

	{ .name = STR("metricgroup"), .type = FIELD_RECORD, .in = IN_GROUP, .get = get_group, .record = &list_metric_group_record },

	{ .name = STR("failed_pmu"),   .type = FIELD_TEXT,  .flags = FIELD_NULLABLE, .in = IN_ERROR, OF_FAILURE(pmu, struct pmuq_pmu, name),
	  .help = "PMU with an event of that name that cannot be encoded" },
	{ .name = STR("failed_terms"), .type = FIELD_TEXT,  .flags = FIELD_NULLABLE, .in = IN_ERROR, OF_FAILURE(event, struct pmuq_event, terms), .help = "its terms" },
	{ .name = STR("error"),       .type = FIELD_RECORD, .in = IN_ERROR, .get = get_failure, .record = &error_record },
};
// clang-format on

static const struct record_type row_record = {
	.name = "shown",
	.tag = STR("found"),
	.variants = found_words,
	.variant = variant,
	FIELDS(row_fields),
};

const struct document_type show_document = {
	.name = "show",
	.title = "pmuq show",
	.rows = "shown",
	.row = &row_record,
};

void show_row(const struct shown_machine *machine, const struct shown *shown)
{
	struct list_row part;
	const struct show_row row = { .machine = machine,
				      .pmu = shown->pmu,
				      .event = shown->event,
				      .metric = shown->metric,
				      .group = shown->group,
				      .failure = shown->failure,
				      .part = &part };

	document_row(machine->document, &row);
}
