/* SPDX-License-Identifier: MIT */
/* The tables of the CPU of the command line, and a plan of metrics. */
#pragma once

#include "cli/cmd.h"
#include <pmuq/pmuq.h>

struct planned {
	struct pmuq_vendor *vendor; /* NULL: no table has events of the CPU */
	struct pmuq_metrics *metrics;
	struct pmuq_metric_groups *groups; /* NULL: not needed yet */
	struct pmuq_metric_plan *plan;
};

/* Finds the metrics of the CPU that `vendor` names, NULL or "auto" for the machine's, and plans
 * those of the names. `encode` gets the CPU's table if it has none. Failures are reported. Metrics
 * that cannot be counted are errors of the plan. */
enum status planned_open(struct planned *planned, const struct cli *cli, struct pmuq_source *source,
			 const char *vendor, const char *names, struct pmuq_encode_options encode,
			 const struct pmuq_metric_options *options);
void planned_close(struct planned *planned);

/* A formula, or a threshold, with events as in event strings: slashes for at signs, no backslashes.
 * The caller frees it. */
char *planned_formula(struct pmuq_str formula);

/* The strings by which the events of the metric are counted, each once: the next one, or NULL. */
const char *planned_next_string(const struct pmuq_metric_plan *plan,
				const struct pmuq_planned_metric *metric, size_t *at);

/* Reports each metric of the plan that cannot be counted; STATUS_OK if all can. */
enum status planned_report(const struct planned *planned);
