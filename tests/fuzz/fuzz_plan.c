/* SPDX-License-Identifier: MIT */
/*
 * Metrics of a table, and names of some: a byte that selects machine, dialect and options; then,
 * with a byte 0xff between them, the names and the metrics. A metric has a line each for its name,
 * groups, PMU, formula, threshold, constraint and unit. A source and a catalog give the same plan;
 * a list is encoded as its string; what a metric needs is in the plan; its value is known, or has a
 * reason.
 */
#include "core/vendor/metric_table.h"
#include "tests/fuzz/fuzz.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BETWEEN ((char)0xff)
#define METRICS_MAX 32

/* The next line; "" if there is none. */
static struct pmuq_str next_line(struct pmuq_str *rest)
{
	struct pmuq_str line = STR("");

	if (rest->n)
		str_cut(*rest, '\n', &line, rest);
	return line;
}

/* Texts of a table have no NUL, and live in its arena. */
static struct pmuq_str keep(struct pq_arena *arena, struct pmuq_str text)
{
	struct pmuq_str copy = pq_arena_str(arena, str_part(text, 0, strnlen(text.p, text.n)));

	FUZZ_LAW(copy.p);
	return copy;
}

static void add_metric(struct pmuq_metrics *metrics, struct pmuq_str lines)
{
	struct pq_metric *metric = pq_arena_zero(&metrics->arena, sizeof(*metric));
	struct pq_metric_key *key = &metrics->v[metrics->n++];

	FUZZ_LAW(metric);
	struct pmuq_str *const fields[] = {
		&metric->record.name,	       &metric->record.groups,
		&metric->record.pmu,	       &metric->record.formula,
		&metric->record.threshold,     &metric->record.constraint,
		&metric->scale_unit,	       &metric->record.no_group,
		&metric->record.default_group, &metric->record.topic,
		&metric->record.description,   &metric->record.long_description,
		&metric->record.aggregation,   &metric->record.compat,
		&metric->record.file,	       &metric->record.folder,
		&metric->record.import,
	};

	for (size_t i = 0; i < COUNT(fields); i++)
		*fields[i] = keep(&metrics->arena, i < 7 ? next_line(&lines) : STR(""));
	if (!metric->record.pmu.n)
		metric->record.pmu = STR("default_core");
	FUZZ_LAW(pq_metric_finish(&metrics->arena, metric));
	*key = (struct pq_metric_key){ .name = metric->record.name,
				       .pmu = metric->record.pmu,
				       .groups = metric->record.groups,
				       .metric = metric };
	metric->key = key;
}

static struct pmuq_metrics *read_metrics(struct pmuq_str rest)
{
	struct pmuq_metrics *metrics = calloc(1, sizeof(*metrics));
	struct pmuq_str lines;
	bool is_more = true;

	FUZZ_LAW(metrics);
	metrics->arena = PQ_ARENA((size_t)1 << 20);
	metrics->cpuid = STR("GenuineIntel-6-55-4");
	metrics->v = pq_arena_array(&metrics->arena, METRICS_MAX, sizeof(*metrics->v));
	FUZZ_LAW(metrics->v);
	while (is_more && metrics->n < METRICS_MAX) {
		is_more = str_cut(rest, BETWEEN, &lines, &rest);
		add_metric(metrics, lines);
	}
	FUZZ_LAW(pq_metrics_finish(metrics));
	return metrics;
}

/* ---- laws */

static void law_of_errors(const struct pmuq_error *a, const struct pmuq_error *b)
{
	FUZZ_LAW((a == NULL) == (b == NULL));
	if (a)
		fuzz_same("a source", a->message.p, "a catalog", b->message.p);
}

static void law_of_lists(const struct pmuq_metric_plan *plan, const struct pmuq_metric_plan *other,
			 const struct fuzz_machine *machine,
			 const struct pmuq_encode_options *encode)
{
	const struct pmuq_metric_list *list;

	FUZZ_LAW(pmuq_metric_plan_list_count(plan) == pmuq_metric_plan_list_count(other));
	for (size_t i = 0; (list = pmuq_metric_plan_list(plan, i)); i++) {
		struct pmuq_encodings *encodings = NULL;

		fuzz_same("a source", list->string.p, "a catalog",
			  pmuq_metric_plan_list(other, i)->string.p);
		fuzz_encodings(list->encodings);
		FUZZ_LAW(pmuq_catalog_encode(machine->catalog, list->string.p, encode, &encodings,
					     NULL) == 0);
		FUZZ_LAW(pmuq_encodings_count(encodings) == pmuq_encodings_count(list->encodings));
		pmuq_encodings_free(encodings);
	}
}

static void law_of_events(const struct pmuq_metric_plan *plan)
{
	const struct pmuq_metric_event *event;

	for (size_t i = 0; (event = pmuq_metric_plan_event(plan, i)); i++) {
		const struct pmuq_metric_list *list = pmuq_metric_plan_list(plan, event->list);
		size_t n = 0;

		if (event->type != PMUQ_METRIC_COUNT)
			continue;
		FUZZ_LAW(list);
		for (size_t k = 0; k < pmuq_encodings_count(list->encodings); k++)
			n += pmuq_encodings_get(list->encodings, k)->event == event->event &&
			     !pmuq_encodings_get(list->encodings, k)->is_added;
		FUZZ_LAW(n == event->n_encodings && n > 0);
	}
}

static void law_of_values(const struct pmuq_metric_plan *plan)
{
	size_t n = pmuq_metric_plan_event_count(plan);
	auto_free struct pmuq_metric_count *counts = calloc(n + 1, sizeof(*counts));
	const struct pmuq_planned_metric *metric;

	FUZZ_LAW(counts);
	for (size_t i = 0; i < n; i++)
		counts[i] = (struct pmuq_metric_count){ (double)(i % 5), 100, 100 - i % 2, 1, 1 };
	for (size_t i = 0; (metric = pmuq_metric_plan_get(plan, i)); i++) {
		struct pmuq_metric_value value = { 0 };
		auto_free char *text = pmuq_metric_plan_expression(plan, i);
		int r = pmuq_metric_plan_evaluate(plan, i, counts, n, &value, NULL);

		for (size_t k = 0; k < metric->n_events; k++)
			FUZZ_LAW(metric->events[k] < n);
		FUZZ_LAW(!metric->error || !text);
		FUZZ_LAW(r == 0 || r == -PMUQ_E_BAD_FORMULA || r == -PMUQ_E_BAD_CALL);
		if (r == 0)
			FUZZ_LAW((value.reason == PMUQ_FORMULA_KNOWN) ==
				 (isfinite(value.value) != 0));
	}
}

static void law_of_plans(const struct pmuq_metric_plan *plan, const struct pmuq_metric_plan *other,
			 const struct fuzz_machine *machine,
			 const struct pmuq_encode_options *encode)
{
	FUZZ_LAW(pmuq_metric_plan_count(plan) == pmuq_metric_plan_count(other));
	for (size_t i = 0; i < pmuq_metric_plan_count(plan); i++)
		law_of_errors(pmuq_metric_plan_get(plan, i)->error,
			      pmuq_metric_plan_get(other, i)->error);
	law_of_lists(plan, other, machine, encode);
	law_of_events(plan);
	law_of_values(plan);
}

static void plan_both(const struct fuzz_machine *machine, const struct pmuq_metrics *metrics,
		      const char *names, const struct pmuq_encode_options *encode,
		      const struct pmuq_metric_options *options)
{
	struct pmuq_metric_plan *plan = NULL, *other = NULL;
	struct pmuq_error *error = NULL, *other_error = NULL;
	struct pmuq_source *source = NULL;
	int r, other_r;

	FUZZ_LAW(pmuq_source_open_tree(machine->dir, &source, NULL) == 0);
	r = pmuq_source_plan_metrics(source, metrics, names, encode, options, &plan, &error);
	other_r = pmuq_catalog_plan_metrics(machine->catalog, metrics, names, encode, options,
					    &other, &other_error);
	FUZZ_LAW(r == other_r && (r < 0) == (error != NULL));
	law_of_errors(error, other_error);
	if (error)
		fuzz_error(r, error);
	if (r == 0)
		law_of_plans(plan, other, machine, encode);
	pmuq_metric_plan_free(plan);
	pmuq_metric_plan_free(other);
	pmuq_error_free(error);
	pmuq_error_free(other_error);
	pmuq_source_free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_str rest = { .p = (const char *)data + 1, .n = size - 1 }, names;
	struct pmuq_encode_options encode = { .size = sizeof(encode) };
	struct pmuq_metric_options options = { .size = sizeof(options) };
	struct pmuq_metrics *metrics;
	auto_free char *text = NULL;

	if (!size || !str_cut(rest, BETWEEN, &names, &rest))
		return -1;
	encode.dialect = data[0] & 8 ? PMUQ_DIALECT_PERF : PMUQ_DIALECT_PMUQ;
	encode.is_system_wide = data[0] & 16;
	options.without_thresholds = data[0] & 32;
	options.without_groups = data[0] & 64;
	options.without_sharing = data[0] & 128;
	text = fuzz_cstr((const uint8_t *)names.p, names.n);
	metrics = read_metrics(rest);
	plan_both(fuzz_machine_listed(data[0] & 7), metrics, text, &encode, &options);
	pmuq_metrics_free(metrics);
	return 0;
}
