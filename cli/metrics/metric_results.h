/* SPDX-License-Identifier: MIT */
/* What a plan of metrics gives, as members of documents and as text: what each metric needs, and
 * its value if its events were counted. */
#pragma once

#include "cli/metrics/planned.h"
#include "cli/output/document.h"
#include "core/vec.h"

/* The counts of each event of the plan: for one core PMU, or (pmu "") for all. */
struct metric_counts {
	struct pmuq_str pmu;
	size_t index; /* of a metric of that PMU */
	struct pmuq_metric_count *v;
};

/* Zeroed: no metric was requested. */
struct metric_results {
	const struct planned *planned;
	PQ_VEC(struct metric_counts) counts; /* one for each PMU that metrics are of */
	struct pmuq_metric_value *values;    /* of each metric of the plan; NULL: not counted */
};

/* Nothing was counted yet. */
void metric_results_begin(struct metric_results *results, const struct planned *planned);
/* Adds the counts of a list of the plan. */
void metric_results_add(struct metric_results *results, size_t list,
			const struct pmuq_counts *counts);
/* The counts that a metric of the plan is made of. */
struct pmuq_metric_count *metric_results_counts(const struct metric_results *results,
						const struct pmuq_planned_metric *metric);
/* Sets a time, in seconds. */
void metric_results_set_time(struct metric_results *results, enum pmuq_metric_event_type type,
			     double seconds);
/* The values of the counts. Fails if a formula cannot be evaluated, which is reported. */
enum status metric_results_evaluate(struct metric_results *results);
void metric_results_clear(struct metric_results *results);

/* A metric of the plan. */
struct shown_metric {
	const struct metric_results *results;
	size_t index;
	const struct pmuq_planned_metric *planned; /* at that index */
};
extern const struct record_type metric_record;
/* Its rows are struct shown_metric. */
extern const struct document_type metrics_document;
/* The getter of a list of them, of struct metric_results. */
bool get_metric(const void *of, struct cell *cell);

/* Prints a row for each metric; as a table only for those that can be counted. */
enum status metric_results_print(const struct metric_results *results,
				 const struct output_choice *output);
