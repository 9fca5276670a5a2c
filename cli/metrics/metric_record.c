/* SPDX-License-Identifier: MIT */
/* A metric of a plan as a record of documents. */
#include "cli/metrics/formula_run.h"
#include "cli/metrics/metric_results.h"
#include "cli/or_die.h"
#include "cli/output/error_record.h"
#include <errno.h>
#include <math.h>

#define SHOWN ((const struct shown_metric *)of)

static const struct pmuq_metric_value *value_of(const void *of)
{
	return SHOWN->results->values ? &SHOWN->results->values[SHOWN->index] : NULL;
}

/* ---- what it needs */

/* An event that a metric needs. */
struct shown_need {
	const struct pmuq_metric_event *event;
	const struct pmuq_metric_count *count; /* NULL: nothing was counted */
};
#define NEED ((const struct shown_need *)of)

static const char *const types[] = {
	"count", "duration", "user-time", "system-time", "latency", NULL,
};

static bool get_input(const void *of, struct cell *cell)
{
	cell->count = NEED->event->list;
	return NEED->event->type == PMUQ_METRIC_COUNT;
}

static bool get_index(const void *of, struct cell *cell)
{
	cell->count = NEED->event->event;
	return NEED->event->type == PMUQ_METRIC_COUNT;
}

static bool get_count(const void *of, struct cell *cell)
{
	return NEED->count && isfinite(NEED->count->value) &&
	       cell_print(cell, "%.17g", NEED->count->value);
}

static bool get_latency(const void *of, struct cell *cell)
{
	return isfinite(NEED->event->latency) && cell_print(cell, "%.17g", NEED->event->latency);
}

// clang-format off
#define OF_EVENT(name) MEMBER_OF(struct shown_need, event, struct pmuq_metric_event, name)
static const struct field need_fields[] = {
	{ .name = STR("event"),     .type = FIELD_TEXT,    OF_EVENT(name), .help = "its event string, without an added modifier" },
	{ .name = STR("type"),      .type = FIELD_TEXT,    OF_EVENT(type), WORDS(types), .help = "how it is counted; times are in seconds" },
	{ .name = STR("input"),     .type = FIELD_COUNT,   .flags = FIELD_NULLABLE, .get = get_input, .help = "the index of the event string that counts it, from 0" },
	{ .name = STR("index"),     .type = FIELD_COUNT,   .flags = FIELD_NULLABLE, .get = get_index, .help = "its index in that event string, from 0" },
	{ .name = STR("encodings"), .type = FIELD_COUNT,   OF_EVENT(n_encodings), .help = "how many encodings are added up" },
	{ .name = STR("latency"),   .type = FIELD_LITERAL, .flags = FIELD_OPTIONAL, .get = get_latency, .help = "of the type latency: the table's mean, in cycles" },
	{ .name = STR("count"),     .type = FIELD_LITERAL, .flags = FIELD_OPTIONAL, .get = get_count, .help = "what was counted" },
};
// clang-format on
static const struct record_type need_record = { .name = "need", FIELDS(need_fields) };

static bool get_need(const void *of, struct cell *cell)
{
	const struct pmuq_planned_metric *metric = SHOWN->planned;
	size_t index;

	if (cell->index >= metric->n_events)
		return false;
	index = metric->events[cell->index];
	return cell_set_record(
		cell,
		(struct shown_need){
			.event = pmuq_metric_plan_event(SHOWN->results->planned->plan, index),
			.count = SHOWN->results->values
					 ? &metric_results_counts(SHOWN->results, metric)[index]
					 : NULL,
		});
}

/* ---- the metric */

static const char *const reasons[] = {
	"known", "not-counted", "divided-by-0", "too-large", "bad-remainder", "nan", NULL,
};
static const char *const ratings[] = { "none", "good", "bad", NULL };

static bool get_pmu(const void *of, struct cell *cell)
{
	cell->text = SHOWN->planned->pmu;
	return cell->text.n > 0;
}

static bool get_expression(const void *of, struct cell *cell)
{
	auto_free char *text = NULL;

	if (SHOWN->planned->error)
		return false;
	errno = 0;
	text = pmuq_metric_plan_expression(SHOWN->results->planned->plan, SHOWN->index);
	/* A text that is too long is not known. */
	done_or_die(text || errno != ENOMEM);
	return text && cell_print(cell, "%s", text);
}

static bool get_value(const void *of, struct cell *cell)
{
	const struct pmuq_metric_value *value = value_of(of);

	return value && isfinite(value->value) && cell_print(cell, "%.17g", value->value);
}

static void add_number(struct pq_buf *text, const struct pmuq_planned_metric *metric, double value)
{
	bool is_plain = value == 0 || (fabs(value) >= 0.01 && fabs(value) < 1e15);

	pq_buf_print(text, is_plain ? "%.*f" : "%.*g", metric->metric->has_scale ? 1 : 2, value);
}

/* "12.5 %", or why it is not known. */
static bool get_result(const void *of, struct cell *cell)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	const struct pmuq_planned_metric *metric = SHOWN->planned;
	const struct pmuq_metric_value *value = value_of(of);
	const struct pmuq_metric_event *event;
	struct pmuq_str unit = metric->metric->unit;
	auto_free char *whole = NULL;

	if (!value)
		return false;
	event = pmuq_metric_plan_event(SHOWN->results->planned->plan, value->event);
	if (!value->reason)
		add_number(&text, metric, value->value);
	else if (value->reason == PMUQ_FORMULA_NOT_COUNTED && event)
		pq_buf_print(&text, "not known: %s was not counted", event->name.p);
	else if (value->reason == PMUQ_FORMULA_NOT_COUNTED)
		pq_buf_add(&text, STR("not known: a fact of the machine, a # of its expression, "
				      "is not known"));
	else
		pq_buf_print(&text, "not known: %s", formula_reason_text(value->reason));
	if (!value->reason && unit.n)
		pq_buf_print(&text, " %s", unit.p);
	whole = or_die(pq_buf_take(&text));
	return cell_print(cell, "%s", whole);
}

static bool get_bound(const void *of, struct cell *cell)
{
	const struct pmuq_metric_value *value = value_of(of);

	return value && !value->reason && isfinite(value->error_bound) &&
	       cell_print(cell, "%.3g", value->error_bound);
}

static bool get_reason(const void *of, struct cell *cell)
{
	const struct pmuq_metric_value *value = value_of(of);

	return value && cell_set_text(cell, reasons[value->reason]);
}

static bool get_rating(const void *of, struct cell *cell)
{
	const struct pmuq_metric_value *value = value_of(of);

	return value && cell_set_text(cell, ratings[value->rating]);
}

static bool get_metric_error(const void *of, struct cell *cell)
{
	const struct pmuq_error *error = SHOWN->planned->error;

	return error && cell_set_record(cell, (struct shown_error){ .error = error });
}

#define OF_PLANNED(name) MEMBER_OF(struct shown_metric, planned, struct pmuq_planned_metric, name)
#define OF_METRIC(name)                                                                            \
	MEMBER_OF_OF(struct shown_metric, planned, struct pmuq_planned_metric, metric,             \
		     struct pmuq_metric, name)

// clang-format off
static const struct field fields[] = {
	{ .name = STR("name"),       .type = FIELD_TEXT,    .flags = FIELD_SHOWN, .width = 24, OF_METRIC(name), .help = "its name" },
	{ .name = STR("pmu"),        .type = FIELD_TEXT,    .flags = FIELD_SHOWN | FIELD_NULLABLE, .width = 8, .get = get_pmu, .help = "the core PMU that it is of, if the machine has several" },
	{ .name = STR("modifiers"),  .type = FIELD_TEXT,    OF_PLANNED(modifiers), .help = "that its events got" },
	{ .name = STR("result"),     .type = FIELD_TEXT,    .flags = FIELD_SHOWN | FIELD_TABLE, .width = 20, .get = get_result, .help = "the value with its unit, or why it is not known" },
	{ .name = STR("value"),      .type = FIELD_LITERAL, .flags = FIELD_NULLABLE, .get = get_value, .help = "in its unit; null if it was not counted, or is not known" },
	{ .name = STR("unit"),       .type = FIELD_TEXT,    OF_METRIC(unit), .help = "of the value" },
	{ .name = STR("error_bound"), .type = FIELD_LITERAL, .flags = FIELD_SHOWN | FIELD_NULLABLE, .width = 8, .get = get_bound, .help = "how far the value may be off because counters were shared" },
	{ .name = STR("reason"),     .type = FIELD_TEXT,    .flags = FIELD_NULLABLE, .get = get_reason, WORDS(reasons), .help = "why it is not known" },
	{ .name = STR("rating"),     .type = FIELD_TEXT,    .flags = FIELD_SHOWN | FIELD_NULLABLE, .width = 6, .get = get_rating, WORDS(ratings), .help = "good or bad by its threshold" },
	{ .name = STR("formula"),    .type = FIELD_TEXT,    OF_METRIC(formula), .help = "in the words of its table" },
	{ .name = STR("expression"), .type = FIELD_TEXT,    .flags = FIELD_NULLABLE, .get = get_expression, .help = "the formula, in which $N is needs[N]; times the scale" },
	{ .name = STR("scale"),      .type = FIELD_TEXT,    OF_METRIC(scale), .help = "exact decimal text to multiply the expression by" },
	{ .name = STR("threshold"),  .type = FIELD_TEXT,    OF_METRIC(threshold), .help = "a formula that is not 0 if the value is bad" },
	{ .name = STR("needs"),      .type = FIELD_RECORD,  .flags = FIELD_LIST, .get = get_need, .record = &need_record, .help = "the events that it needs" },
	{ .name = STR("error"),      .type = FIELD_RECORD,  .flags = FIELD_NULLABLE, .get = get_metric_error, .record = &error_record, .help = "why it cannot be counted here" },
};
// clang-format on
const struct record_type metric_record = { .name = "metric", FIELDS(fields) };

const struct document_type metrics_document = {
	.name = "metrics",
	.title = "pmuq metric",
	.rows = "metrics",
	.row = &metric_record,
	.is_table = true,
};

bool get_metric(const void *of, struct cell *cell)
{
	const struct metric_results *results = of;

	struct shown_metric shown = { .results = results, .index = cell->index };

	if (results->planned)
		shown.planned = pmuq_metric_plan_get(results->planned->plan, cell->index);
	return shown.planned && cell_set_record(cell, shown);
}
