/* SPDX-License-Identifier: MIT */
#include "cli/metrics/planned.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/served.h"
#include "core/freep.h"
#include <string.h>

enum status planned_open(struct planned *planned, const struct cli *cli, struct pmuq_source *source,
			 const char *vendor, const char *names, struct pmuq_encode_options encode,
			 const struct pmuq_metric_options *options)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status = source_find_lazy_metrics(cli, source, vendor, &planned->metrics);

	if (status == STATUS_OK && !encode.vendor)
		status = source_find_lazy_vendor(cli, source, vendor, true, &planned->vendor);
	if (status != STATUS_OK)
		return status;
	if (planned->vendor)
		encode.vendor = planned->vendor;
	if (pmuq_source_plan_metrics(source, planned->metrics, names, &encode, options,
				     &planned->plan, &error) < 0)
		return report_error(error, names);
	return STATUS_OK;
}

void planned_close(struct planned *planned)
{
	pmuq_metric_plan_freep(&planned->plan);
	pmuq_metrics_freep(&planned->metrics);
	pmuq_metric_groups_freep(&planned->groups);
	vendor_closep(&planned->vendor);
}

char *planned_formula(struct pmuq_str formula)
{
	char *text = or_die(strndup(formula.p, formula.n));
	size_t n = 0;

	for (size_t i = 0; i < formula.n; i++)
		if (formula.p[i] != '\\')
			text[n++] = formula.p[i] == '@' ? '/' : formula.p[i];
	text[n] = 0;
	return text;
}

const char *planned_next_string(const struct pmuq_metric_plan *plan,
				const struct pmuq_planned_metric *metric, size_t *at)
{
	while (*at < metric->n_events) {
		const struct pmuq_metric_event *event =
			pmuq_metric_plan_event(plan, metric->events[*at]);
		bool is_first = event->type == PMUQ_METRIC_COUNT;

		for (size_t i = 0; i < *at; i++)
			is_first &= pmuq_metric_plan_event(plan, metric->events[i])->list !=
				    event->list;
		++*at;
		if (is_first)
			return pmuq_metric_plan_list(plan, event->list)->string.p;
	}
	return NULL;
}

enum status planned_report(const struct planned *planned)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < pmuq_metric_plan_count(planned->plan); i++) {
		const struct pmuq_planned_metric *metric = pmuq_metric_plan_get(planned->plan, i);

		if (!metric->error)
			continue;
		report(REPORT_ERROR, "the metric %s cannot be counted here",
		       metric->metric->name.p);
		status = status_worse(status, report_error(metric->error, NULL));
	}
	return status;
}
