/* SPDX-License-Identifier: MIT */
/*
 * `pmuq check`: tests whether the running kernel opens events on their target and, with --count,
 * whether they count. check_text.c and check_record.c print a result.
 */
#include "cli/events/check_output.h"
#include "cli/events/event_strings.h"
#include <string.h>

/* The state of the whole command. `strings` is the first member: the callbacks get a pointer to it.
 */
struct check {
	struct strings strings;
	struct pmuq_open_options open;
	bool counts;
	struct check_tail tail;
};

static struct check *check_of(struct strings *strings)
{
	return (struct check *)strings;
}

/* An event that opens may never count, for example if another user has the only counter. The string
 * is valid, but useless to a user who needs the count. */
static bool counts_not(const struct result *result, size_t index)
{
	enum pmuq_counting status;

	if (!result->counts || pmuq_open_results_get(result->opens, index)->status != PMUQ_OPENED)
		return false;
	status = pmuq_counts_get(result->counts, index)->status;
	return status == PMUQ_NEVER_SCHEDULED || status == PMUQ_NOT_COUNTED;
}

/* The worst result of all encodings and groups of one string. */
static enum status status_of(const struct result *result)
{
	struct check_group group;

	for (size_t i = 0; i < pmuq_encodings_count(result->encodings); i++) {
		if (pmuq_open_results_get(result->opens, i)->status == PMUQ_REFUSED ||
		    counts_not(result, i))
			return STATUS_REFUSED;
		if (check_group_of(result, i, &group) && !group.fits)
			return STATUS_REFUSED;
	}
	return STATUS_OK;
}

/* What all of them need is known before anything is opened; it is printed at the end. */
static int open_and_count(struct check *check, struct result *result,
			  struct pmuq_open_results **opens, struct pmuq_counts **counts,
			  struct pmuq_error **reterr)
{
	struct pmuq_budget budget = { .size = sizeof(budget) };
	int r = pmuq_encodings_budget(result->encodings, &check->open, &budget, reterr);

	if (r < 0)
		return r;
	check->tail.budget.needed += budget.needed;
	r = pmuq_encodings_test_open(result->encodings, &check->open, opens, reterr);
	if (r < 0 || !check->counts)
		return r;
	return pmuq_encodings_measure(result->encodings, &check->open, counts, reterr);
}

/* What should happen to the groups. */
static int predict(struct strings *strings, const struct pmuq_encodings *encodings,
		   struct pmuq_fit **ret, struct pmuq_error **reterr)
{
	const struct pmuq_fit_options options = {
		.size = sizeof(options),
		.vendor =
			strings->options.vendor ? strings->options.vendor : strings->planned.vendor,
	};

	return pmuq_source_fit(strings->source, encodings, &options, ret, reterr);
}

static void print_one(struct strings *strings, struct result *result)
{
	cleanup(pmuq_open_results_freep) struct pmuq_open_results *opens = NULL;
	cleanup(pmuq_counts_freep) struct pmuq_counts *counts = NULL;
	cleanup(pmuq_fit_freep) struct pmuq_fit *fit = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct check *check = check_of(strings);

	if (result->encodings && open_and_count(check, result, &opens, &counts, &error) < 0)
		strings_refuse(strings, result, error);
	result->opens = opens;
	result->counts = counts;
	if (result->encodings && predict(strings, result->encodings, &fit, &error) < 0)
		strings_refuse(strings, result, error);
	result->fit = fit;
	if (counts && result->metric_list != SIZE_MAX)
		metric_results_add(&strings->metrics, result->metric_list, counts);
	result->cgroup = check->open.cgroup;
	if (result->encodings)
		strings->status = status_worse(strings->status, status_of(result));
	encode_print(&strings->output, result);
}

/* Reports everything that makes the command pointless before the first event is opened. */
static enum status begin(struct strings *strings)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct check *check = check_of(strings);

	if (!pmuq_source_is_live(strings->source))
		return usage_error("check works on the running kernel only; it cannot "
				   "be used with --sysroot or --host");
	if (check->open.pid && check->open.cgroup)
		return usage_error("-p and -G exclude each other");
	if (pmuq_encodings_budget(NULL, &check->open, &check->tail.budget, &error) < 0)
		return report_error(error, NULL);
	return encode_begin(&strings->output, strings->line);
}

/* The budget of file descriptors is for all strings together: a tool opens them together. */
static enum status end(struct strings *strings)
{
	struct check *check = check_of(strings);
	bool has_values = strings->planned.plan && check->counts, is_text;
	enum status status = STATUS_OK, end_status;

	check->tail.metrics = &strings->metrics;
	if (has_values) {
		/* Each event or group counted for that time. */
		metric_results_set_time(&strings->metrics, PMUQ_METRIC_DURATION,
					(check->open.work_ms ? check->open.work_ms : 100) / 1000.0);
		status = metric_results_evaluate(&strings->metrics);
	}
	end_status = encode_end(&strings->output);
	is_text = strings->line->output.form == DOCUMENT_NONE;
	if (is_text && check->tail.budget.needed)
		check_print_budget(&check->tail.budget);
	if (is_text && has_values)
		end_status = status_worse(end_status, metric_results_print(&strings->metrics,
									   &strings->line->output));
	return status_worse(status, end_status);
}

static enum status run_check(const struct options *options)
{
	bool wants_page = option_is_set(options, OPTION_RDPMC);
	struct check check = {
		.strings = {
			.begin = begin,
			.end = end,
			.print = print_one,
			.output = { .type = &check_type, .tail = &check.tail },
		},
		.open = {
			.size = sizeof(check.open),
			.pid = option_number(options, OPTION_PID, 0),
			.cpus = option_value(options, OPTION_CPU),
			.cgroup = option_value(options, OPTION_CGROUP),
			.work_ms = (unsigned)option_number(options, OPTION_COUNT, 0),
			.wants_page = wants_page,
		},
		.counts = wants_page || option_is_set(options, OPTION_COUNT),
		.tail = { .budget = { .size = sizeof(check.tail.budget) } },
	};

	return strings_run(&check.strings, options);
}

const struct command cmd_check = {
	.name = "check",
	.arguments = "EVENT...",
	.summary = "test whether the kernel opens events and whether they count",
	.text = STRINGS_TEXT
	"With several strings the highest exit status is used: 1 invalid, 3 refused by\n"
	"the kernel or (with --count) never on a counter, 4 unreadable input. Without\n"
	"--count and --rdpmc no event is enabled.\n\n"
	"Examples:\n"
	"  pmuq check cycles:u page-faults\n"
	"  pmuq check --count '{cycles,instructions,cache-misses}'\n"
	"  pmuq check -p 1234 --count=1000 context-switches\n"
	"  pmuq check --count --metric insn_per_cycle\n"
	"  pmuq check -C 0-3 --json 'msr/tsc/'\n",
	.options = OPTION_LIST(OPTION_PID, OPTION_CPU, OPTION_CGROUP, OPTION_COUNT, OPTION_RDPMC,
			       OPTIONS_DOCUMENT, OPTIONS_EVENTS),
	.documents = DOCUMENT_LIST(&check_document),
	.run = run_check,
};
