/* SPDX-License-Identifier: MIT */
/*
 * The list of metrics: those of the CPU's tables, and whether the machine has what they need. All
 * are planned for it, each for itself; nothing is opened.
 */
#include "cli/machine_word.h"
#include "cli/metrics/planned.h"
#include "cli/or_die.h"
#include "cli/output/error_record.h"
#include "cli/report.h"
#include "cli/tables/list.h"
#include <fnmatch.h>

#define ROW ((const struct list_row *)of)
#define PLANNED (ROW->planned)
#define METRIC (PLANNED->metric)

static bool get_text(struct cell *cell, struct pmuq_str text)
{
	cell->text = text;
	return text.n > 0;
}

/* Of a metric of all core PMUs it is the one that counts it. */
static bool get_pmu(const void *of, struct cell *cell)
{
	return get_text(cell, PLANNED->pmu.n ? PLANNED->pmu : METRIC->pmu);
}

/* The index-th of a list with semicolons; empty parts do not count. */
static bool get_group(const void *of, struct cell *cell)
{
	struct pmuq_str rest = METRIC->groups, group;
	size_t n = 0;

	while (str_next(&rest, ';', &group))
		if (group.n && n++ == cell->index)
			return get_text(cell, group);
	return false;
}

static bool get_description(const void *of, struct cell *cell)
{
	return get_text(cell,
			METRIC->description.n ? METRIC->description : METRIC->long_description);
}

static bool get_formula(const void *of, struct cell *cell)
{
	auto_free char *text = planned_formula(METRIC->formula);

	return cell_print(cell, "%s", text);
}

static bool get_here(const void *of, struct cell *cell)
{
	cell->is_true = !PLANNED->error;
	return true;
}

static bool get_event(const void *of, struct cell *cell)
{
	if (cell->index >= PLANNED->n_events)
		return false;
	cell->text = pmuq_metric_plan_event(ROW->plan, PLANNED->events[cell->index])->name;
	return true;
}

static bool get_counters(const void *of, struct cell *cell)
{
	cell->count = PLANNED->n_counters;
	return !PLANNED->error;
}

static bool get_metric_error(const void *of, struct cell *cell)
{
	const struct pmuq_error *error = PLANNED->error;

	return error && cell_set_record(cell, (struct shown_error){ .error = error });
}

#define OF_METRIC(name)                                                                            \
	MEMBER_OF_OF(struct list_row, planned, struct pmuq_planned_metric, metric,                 \
		     struct pmuq_metric, name)

// clang-format off
static const struct field fields[] = {
	{ .name = STR("name"),        .type = FIELD_TEXT,   .flags = FIELD_SHOWN, .width = 24, OF_METRIC(name), .help = "its name, for --metric" },
	{ .name = STR("pmu"),         .type = FIELD_TEXT,   .flags = FIELD_SHOWN | FIELD_SPARE, .width = 8, .get = get_pmu, .help = "the core PMU that it is of, or the PMU of its table" },
	{ .name = STR("groups"),      .type = FIELD_TEXT,   .flags = FIELD_LIST | FIELD_WRAP, .percent = 20, .get = get_group, .help = "metric groups that it is in" },
	{ .name = STR("unit"),        .type = FIELD_TEXT,   .flags = FIELD_SHOWN, .width = 6, OF_METRIC(unit), .help = "of its value" },
	{ .name = STR("here"),        .type = FIELD_BOOL,   .flags = FIELD_SHOWN, .width = 3, .get = get_here, .help = "the machine has all of its events" },
	{ .name = STR("counters"),    .type = FIELD_COUNT,  .flags = FIELD_SHOWN | FIELD_NULLABLE, .width = 4, .get = get_counters, .help = "how many counters its events take" },
	{ .name = STR("events"),      .type = FIELD_TEXT,   .flags = FIELD_LIST | FIELD_WRAP, .percent = 30, .get = get_event, .help = "the events that it needs" },
	{ .name = STR("formula"),     .type = FIELD_TEXT,   .flags = FIELD_WRAP, .percent = 40, .get = get_formula, .help = "its formula, with events as in event strings" },
	{ .name = STR("threshold"),   .type = FIELD_TEXT,   .flags = FIELD_WRAP, .percent = 30, OF_METRIC(threshold), .help = "a formula that is not 0 if the value is bad" },
	{ .name = STR("description"), .type = FIELD_TEXT,   .flags = FIELD_SHOWN | FIELD_WRAP, .percent = 40, .get = get_description, .help = "the vendor's description" },
	{ .name = STR("import"),      .type = FIELD_TEXT,   .width = 8, OF_METRIC(import), .help = "the import that it is of" },
	{ .name = STR("file"),        .type = FIELD_TEXT,   .width = 16, OF_METRIC(file), .help = "its file there" },
	{ .name = STR("version"),     .type = FIELD_TEXT,   .width = 6, OF_METRIC(version), .help = "the vendor's version of the file, or of the table" },
	{ .name = STR("error"),       .type = FIELD_RECORD, .flags = FIELD_NULLABLE, .get = get_metric_error, .record = &error_record, .help = "why it cannot be counted here" },
};
// clang-format on
const struct record_type list_metric_record = { .name = "metric", FIELDS(fields) };

const struct document_type list_metrics_document = {
	.name = "list-metrics",
	.title = "pmuq list metrics",
	.rows = "metrics",
	.row = &list_metric_record,
	.is_table = true,
};

static bool metric_row(const struct list_input *input, size_t index, struct list_row *ret)
{
	const struct pmuq_metric_plan *plan = input->planned->plan;
	const struct pmuq_planned_metric *planned = pmuq_metric_plan_get(plan, index);

	if (!planned)
		return false;
	*ret = (struct list_row){
		.name = planned->metric->name.p,
		.plan = plan,
		.planned = planned,
	};
	return true;
}

bool list_metric_matches(const struct list_row *row, const char *glob)
{
	struct pmuq_str rest = row->planned->metric->groups, group;

	while (str_next(&rest, ';', &group)) {
		auto_free char *text = or_die(strndup(group.p, group.n));

		if (fnmatch(glob, text, FNM_CASEFOLD) == 0)
			return true;
	}
	return fnmatch(glob, row->planned->metric->name.p, FNM_CASEFOLD) == 0;
}

/* A metric of a tracepoint cannot be planned without the machine's tracepoints. */
static bool may_need_tracepoints(const struct pmuq_metric_plan *plan)
{
	const struct pmuq_planned_metric *metric;

	for (size_t i = 0; (metric = pmuq_metric_plan_get(plan, i)); i++)
		if (metric->error && strchr(metric->metric->formula.p, ':'))
			return true;
	return false;
}

static enum status plan_all(struct planned *planned, const struct pmuq_catalog *catalog)
{
	const struct pmuq_encode_options encode = { .size = sizeof(encode),
						    .vendor = planned->vendor };
	const struct pmuq_metric_options options = { .size = sizeof(options),
						     .without_thresholds = true,
						     .without_groups = true };
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	pmuq_metric_plan_free(move(planned->plan));
	return pmuq_catalog_plan_metrics(catalog, planned->metrics, "all", &encode, &options,
					 &planned->plan, &error) < 0
		       ? report_error(error, NULL)
		       : STATUS_OK;
}

/* Most of the events are needed, so all are loaded, and the machine is read once. */
static enum status open_metrics(struct planned *planned, const struct cli *cli,
				struct pmuq_source *source, const char *vendor,
				struct pmuq_catalog **catalog)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status = source_find_metrics(cli, source, vendor, true, &planned->metrics);

	if (status == STATUS_OK)
		status = source_find_vendor(cli, source, vendor, true, &planned->vendor);
	if (status == STATUS_OK)
		status = plan_all(planned, *catalog);
	if (status != STATUS_OK || !may_need_tracepoints(planned->plan))
		return status;
	pmuq_metric_plan_free(move(planned->plan));
	pmuq_catalog_free(move(*catalog));
	if (pmuq_source_read_catalog(source, catalog, &error) < 0)
		return report_error(error, NULL);
	return plan_all(planned, *catalog);
}

const struct list_type list_of_metrics = {
	.one = "metric",
	.document = &list_metrics_document,
	.row = metric_row,
	.open = open_metrics,
	.is_of_catalog = true,
};
