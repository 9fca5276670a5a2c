/* SPDX-License-Identifier: MIT */
/* A plan of metrics for the machine of the command line. */
#pragma once

#include "cli/cmd.h"
#include <pmuq/pmuq.h>

struct planned {
	struct pmuq_metrics *metrics;
	struct pmuq_vendor *vendor; /* NULL: no table has events of the CPU */
	struct pmuq_metric_plan *plan;
};

/* Finds the tables of the CPU that `vendor` names, NULL or "auto" for the machine's, and plans the
 * metrics. `encode` gets that table if it has none. Failures are reported. Metrics that
 * cannot be counted are errors of the plan. */
enum status planned_open(struct planned *planned, const struct cli *cli, struct pmuq_source *source,
			 const char *vendor, const char *names, struct pmuq_encode_options encode,
			 const struct pmuq_metric_options *options);
void planned_close(struct planned *planned);

/* Reports each metric of the plan that cannot be counted; STATUS_OK if there is none. */
enum status planned_report(const struct planned *planned);
