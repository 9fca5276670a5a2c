/* SPDX-License-Identifier: MIT */
/*
 * Gathers counts for the events of a plan, evaluates its metrics, and prints the values. On a
 * machine with several core PMUs each of them has its own counts.
 */
#include "cli/metrics/metric_results.h"
#include "cli/or_die.h"
#include "cli/output/rows.h"
#include "cli/report.h"
#include <math.h>
#include <string.h>

static struct metric_counts *find_counts(const struct metric_results *results, struct pmuq_str pmu)
{
	for (size_t i = 0; i < results->counts.n; i++)
		if (str_eq(results->counts.v[i].pmu, pmu))
			return &results->counts.v[i];
	return NULL;
}

void metric_results_begin(struct metric_results *results, const struct planned *planned)
{
	size_t n = pmuq_metric_plan_event_count(planned->plan);
	const struct pmuq_planned_metric *metric;

	results->planned = planned;
	for (size_t i = 0; (metric = pmuq_metric_plan_get(planned->plan, i)); i++) {
		struct metric_counts counts = { .pmu = metric->pmu, .index = i };

		if (find_counts(results, metric->pmu))
			continue;
		counts.v = or_die(calloc(n + 1, sizeof(*counts.v)));
		for (size_t k = 0; k < n; k++)
			counts.v[k].value = NAN;
		push_or_die(&results->counts, counts);
	}
}

struct pmuq_metric_count *metric_results_counts(const struct metric_results *results,
						const struct pmuq_planned_metric *metric)
{
	return find_counts(results, metric->pmu)->v;
}

void metric_results_set_time(struct metric_results *results, enum pmuq_metric_event_type type,
			     double seconds)
{
	const struct pmuq_metric_event *event;

	for (size_t i = 0; (event = pmuq_metric_plan_event(results->planned->plan, i)); i++)
		for (size_t k = 0; event->type == type && k < results->counts.n; k++)
			results->counts.v[k].v[i] = (struct pmuq_metric_count){
				.value = seconds,
				.n_counts = 1,
				.n_pmus = 1,
			};
}

static void add_count(struct pmuq_metric_count *sum, const struct pmuq_count *count)
{
	if (!count->is_read)
		return;
	sum->value = isnan(sum->value) ? (double)count->value : sum->value + (double)count->value;
	sum->enabled_ns += count->time_enabled_ns;
	sum->running_ns += count->time_running_ns;
	sum->n_counts++;
	sum->n_pmus++;
}

/* Adds the counts of an event of that list. */
static void add_event(const struct pmuq_metric_plan *plan, size_t list, size_t event,
		      const struct pmuq_counts *counts, struct metric_counts *sums)
{
	const struct pmuq_encodings *encodings = pmuq_metric_plan_list(plan, list)->encodings;
	const struct pmuq_encoding *encoding;

	for (size_t i = 0; (encoding = pmuq_encodings_get(encodings, i)); i++)
		if (pmuq_metric_plan_counts(plan, sums->index, event, encoding))
			add_count(&sums->v[event], pmuq_counts_get(counts, i));
}

void metric_results_add(struct metric_results *results, size_t list,
			const struct pmuq_counts *counts)
{
	const struct pmuq_metric_plan *plan = results->planned->plan;
	const struct pmuq_metric_event *event;

	for (size_t i = 0; (event = pmuq_metric_plan_event(plan, i)); i++)
		for (size_t k = 0; k < results->counts.n; k++)
			if (event->type == PMUQ_METRIC_COUNT && event->list == list)
				add_event(plan, list, i, counts, &results->counts.v[k]);
}

enum status metric_results_evaluate(struct metric_results *results)
{
	const struct pmuq_metric_plan *plan = results->planned->plan;
	size_t n = pmuq_metric_plan_count(plan), n_events = pmuq_metric_plan_event_count(plan);
	enum status status = STATUS_OK;

	results->values = or_die(calloc(n + 1, sizeof(*results->values)));
	for (size_t i = 0; i < n; i++) {
		cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
		const struct pmuq_planned_metric *metric = pmuq_metric_plan_get(plan, i);
		struct pmuq_metric_value *value = &results->values[i];

		*value = (struct pmuq_metric_value){ .value = NAN,
						     .reason = PMUQ_FORMULA_NOT_COUNTED,
						     .event = SIZE_MAX };
		if (!metric->error && optional_or_die(pmuq_metric_plan_evaluate(
					      plan, i, metric_results_counts(results, metric),
					      n_events, value, &error)) < 0)
			status = status_worse(status, report_error(error, NULL));
	}
	return status;
}

void metric_results_clear(struct metric_results *results)
{
	for (size_t i = 0; i < results->counts.n; i++)
		free(results->counts.v[i].v);
	pq_vec_free(&results->counts);
	free(results->values);
}

enum status metric_results_print(const struct metric_results *results,
				 const struct output_choice *output)
{
	struct shown_metric shown = { .results = results };
	struct rows rows;

	rows_begin(&rows, &metrics_document, output, FIELD_SHOWN);
	for (; (shown.planned = pmuq_metric_plan_get(results->planned->plan, shown.index));
	     shown.index++)
		if (output->form != DOCUMENT_NONE || !shown.planned->error)
			rows_add(&rows, &shown);
	return rows_end(&rows);
}
