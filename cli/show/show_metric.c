/* SPDX-License-Identifier: MIT */
/*
 * Metrics in full: those of the CPU's tables that a name means, or a metric group and those that
 * are in it. They are planned for the machine; nothing is opened.
 */
#include "cli/database.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/output/label.h"
#include "cli/report.h"
#include "cli/show/show.h"
#include "core/freep.h"
#include <string.h>

/* A machine without a database has no metrics. */
static enum status open_metrics(const struct shown_machine *machine)
{
	struct planned *planned = machine->planned;
	auto_free char *path = database_path_if_there(machine->cli);
	enum status status;

	if (planned->metrics || !path)
		return STATUS_OK;
	status = source_find_metrics(machine->cli, machine->source, machine->vendor_word, false,
				     &planned->metrics);
	return status == STATUS_OK
		       ? source_find_lazy_vendor(machine->cli, machine->source,
						 machine->vendor_word, true, &planned->vendor)
		       : status;
}

/* An event string, or a name with a modifier, is not the name of a metric. */
static bool may_be_metric(const char *name)
{
	return *name && !strpbrk(name, "/:,{*?");
}

/* The groups that the table names, with commas. */
static char *groups_of(const struct pmuq_metric *metric)
{
	struct pmuq_str rest = metric->groups, group;
	struct pq_buf buf = PQ_BUF_NULL;

	while (str_next(&rest, ';', &group))
		if (group.n)
			pq_buf_print(&buf, "%s%.*s", buf.n ? ", " : "", STR_ARG(group));
	return buf.n || buf.failed ? or_die(pq_buf_take(&buf)) : NULL;
}

static void print_counted(const struct full_metric *shown)
{
	const char *string;
	size_t at = 0;
	bool is_first = true;

	while ((string = planned_next_string(shown->plan, shown->planned, &at))) {
		label_text(is_first ? "events" : "", string);
		is_first = false;
	}
	label_print("counters", "%zu", shown->planned->n_counters);
}

static void print_metric(const struct full_metric *shown)
{
	const struct pmuq_planned_metric *planned = shown->planned;
	const struct pmuq_metric *metric = planned->metric;
	const struct pmuq_str about =
		metric->long_description.n ? metric->long_description : metric->description;
	auto_free char *groups = groups_of(metric);
	auto_free char *formula = planned_formula(metric->formula);
	auto_free char *threshold = planned_formula(metric->threshold);

	label_title(metric->name.p);
	if (about.n)
		label_paragraph("about", about.p);
	label_text("groups", groups);
	label_text("pmu", planned->pmu.n ? planned->pmu.p : metric->pmu.p);
	label_text("unit", metric->unit.n ? metric->unit.p : NULL);
	label_paragraph("formula", formula);
	label_text("scale", strcmp(metric->scale.p, "1") == 0 ? NULL : metric->scale.p);
	if (*threshold)
		label_paragraph("bad if", threshold);
	label_print("table", "%s%s%s, %s", metric->file.p, metric->version.n ? " " : "",
		    metric->version.p, metric->import.p);
	if (planned->error)
		report_draw(stdout, REPORT_NOTE, planned->error, NULL, "  ");
	else
		print_counted(shown);
}

static void show_one(const struct shown_machine *machine, const struct full_metric *shown,
		     size_t *n_shown)
{
	if ((*n_shown)++ && !machine->document)
		putchar('\n');
	if (machine->document)
		show_row(machine, &(struct shown){ .metric = shown });
	else
		print_metric(shown);
}

/* Of a name several tables may have a metric, and several core PMUs. */
static void show_name(const struct shown_machine *machine, const struct pmuq_metric *metric,
		      size_t *n_shown)
{
	const struct pmuq_encode_options encode = { .size = sizeof(encode),
						    .vendor = machine->planned->vendor };
	const struct pmuq_metric_options options = { .size = sizeof(options),
						     .without_thresholds = true };
	cleanup(pmuq_metric_plan_freep) struct pmuq_metric_plan *plan = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_planned_metric failed = { .metric = metric, .pmu = STR("") };
	struct full_metric shown = { .planned = &failed };

	if (optional_or_die(pmuq_catalog_plan_metrics(machine->catalog, machine->planned->metrics,
						      metric->name.p, &encode, &options, &plan,
						      &error)) < 0) {
		failed.error = error;
		show_one(machine, &shown, n_shown);
		return;
	}
	shown.plan = plan;
	for (size_t i = 0; (shown.planned = pmuq_metric_plan_get(plan, i)); i++)
		show_one(machine, &shown, n_shown);
}

static bool is_in_group(const struct pmuq_metric *metric, struct pmuq_str name)
{
	struct pmuq_str rest = metric->groups, group;

	while (str_next(&rest, ';', &group))
		if (str_eq_nocase(group, name))
			return true;
	return false;
}

/* Whether no metric before it has the name. */
static bool is_first(const struct pmuq_metrics *metrics, size_t index)
{
	struct pmuq_str name = pmuq_metrics_get(metrics, index)->name;

	for (size_t i = 0; i < index; i++)
		if (str_eq_nocase(pmuq_metrics_get(metrics, i)->name, name))
			return false;
	return true;
}

static bool is_wanted(const struct pmuq_metric *metric, struct pmuq_str name, bool is_group)
{
	return is_group ? is_in_group(metric, name) : str_eq_nocase(metric->name, name);
}

static void print_group(const struct shown_machine *machine, const struct pmuq_metric_group *group)
{
	const struct pmuq_metrics *metrics = machine->planned->metrics;
	auto_free char *names = NULL;
	struct pq_buf buf = PQ_BUF_NULL;

	for (size_t i = 0; i < pmuq_metrics_count(metrics); i++)
		if (is_in_group(pmuq_metrics_get(metrics, i), group->name) && is_first(metrics, i))
			pq_buf_print(&buf, "%s%s", buf.n ? ", " : "",
				     pmuq_metrics_get(metrics, i)->name.p);
	names = or_die(pq_buf_take(&buf));
	label_title(group->name.p);
	label_paragraph("about", group->description.n ? group->description.p : NULL);
	label_paragraph("metrics", names);
}

static enum status show_group(const struct shown_machine *machine, struct pmuq_str name,
			      size_t *n_shown)
{
	struct planned *planned = machine->planned;
	const struct pmuq_metric_group *group;
	enum status status = STATUS_OK;

	if (!planned->groups)
		status = source_find_metric_groups(machine->cli, machine->source,
						   machine->vendor_word, &planned->groups);
	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; (group = pmuq_metric_groups_get(planned->groups, i)); i++) {
		if (!str_eq_nocase(group->name, name) || !group->n_metrics)
			continue;
		if (machine->document)
			show_row(machine, &(struct shown){ .group = group });
		else
			print_group(machine, group);
		++*n_shown;
	}
	return STATUS_OK;
}

enum status show_metrics(const struct shown_machine *machine, const char *name, size_t *ret_shown)
{
	const struct pmuq_metrics *metrics;
	struct pmuq_str wanted = str_of(name);
	enum status status = STATUS_OK;
	bool is_group = true;

	*ret_shown = 0;
	if (!may_be_metric(name) || open_metrics(machine) != STATUS_OK)
		return STATUS_OK;
	metrics = machine->planned->metrics;
	for (size_t i = 0; metrics && i < pmuq_metrics_count(metrics); i++)
		is_group &= !is_wanted(pmuq_metrics_get(metrics, i), wanted, false);
	if (metrics && is_group)
		status = show_group(machine, wanted, ret_shown);
	for (size_t i = 0; metrics && i < pmuq_metrics_count(metrics); i++)
		if (is_wanted(pmuq_metrics_get(metrics, i), wanted, is_group) &&
		    is_first(metrics, i))
			show_name(machine, pmuq_metrics_get(metrics, i), ret_shown);
	return status;
}
