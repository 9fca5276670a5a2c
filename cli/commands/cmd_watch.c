/* SPDX-License-Identifier: MIT */
/*
 * `pmuq watch`: prints how a machine changes, as it happens: PMUs that a module adds or removes,
 * CPUs that go online or offline. follower.c finds the changes; this file prints them.
 */
#include "cli/clock.h"
#include "cli/diff/diff_output.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/watched.h"
#include "core/text/time.h"
#include <errno.h>
#include <string.h>

struct watching {
	struct follower follower;
	enum document_form form;
	int64_t end_ms; /* of clock_running_ms(); -1: never */
};

/* "add module rapl, online cpu2" */
static void print_causes(const struct follower_causes *causes)
{
	for (size_t i = 0; i < causes->n; i++) {
		const struct follower_cause *cause = &causes->v[i];

		printf("%s", i ? ", " : ": ");
		if (cause->name) {
			print_safe(stdout, cause->action);
			putchar(' ');
			print_safe(stdout, cause->name);
		} else {
			printf("%s", cause->cause == PMUQ_WATCH_LOST ? "announcements were lost"
								     : "found by the timer");
		}
	}
}

static void print_people(const struct watched *watched)
{
	const struct follower_change *change = watched->change;
	cleanup(pq_buf_free) struct pq_buf time = PQ_BUF_NULL;

	pq_time_print(&time, watched->time_s);
	printf("%s  generation %llu", text_or_die(&time),
	       (unsigned long long)watched->follower->generation);
	if (change)
		print_causes(&change->causes);
	print_plural(", ", watched->n_pmus, "PMU");
	putchar('\n');
	if (change) {
		const struct shown_diff shown = {
			.diff = change->diff,
			.machines = { { NULL, change->before },
				      { NULL, watched->follower->catalog } },
			.least = PMUQ_WEIGHT_COSMETIC,
		};

		diff_print_text(&shown, stdout);
		putchar('\n');
	}
}

/* Each state is a document. The reader of a pipe may have gone. */
static enum status print(const struct watching *watching, const struct follower_change *change)
{
	const struct watched watched = watched_of(&watching->follower, change);
	enum status status = STATUS_OK;

	if (watching->form == DOCUMENT_NONE)
		print_people(&watched);
	if (watching->form == DOCUMENT_YAML && change)
		puts("---");
	if (watching->form != DOCUMENT_NONE)
		status = document_print(watching->form, &watch_document, &watched);
	if (fflush(stdout) != 0)
		return report_failed("stdout: %s", strerror(errno));
	return status;
}

/* How long to wait: -1: any time. */
static int64_t left_ms(const struct watching *watching)
{
	int64_t left = watching->end_ms - clock_running_ms();

	return watching->end_ms < 0 ? -1 : left > 0 ? left : 0;
}

static enum status wait_for_change(struct watching *watching)
{
	struct follower_change change;
	enum status status = follower_wait(&watching->follower, left_ms(watching), &change);

	if (status == STATUS_OK && change.before)
		status = print(watching, &change);
	follower_change_clear(&change);
	return status;
}

static enum status watch(struct watching *watching)
{
	enum status status = print(watching, NULL);

	while (status == STATUS_OK && left_ms(watching) != 0)
		status = wait_for_change(watching);
	return status;
}

/* --json prints lines, too: a document would have no end. */
static enum status run_watch(const struct options *options)
{
	int32_t seconds = option_number(options, OPTION_FOR, -1);
	struct watching watching = {
		.form = options->output.form == DOCUMENT_JSON ? DOCUMENT_JSONL
							      : options->output.form,
		.end_ms = seconds < 0 ? -1 : clock_running_ms() + (int64_t)seconds * 1000,
	};
	enum status status = follower_begin(&watching.follower, &options->cli);

	if (status == STATUS_OK && !watching.follower.is_announced)
		report(REPORT_NOTE,
		       "the kernel announces no change here: the machine is read every "
		       "second");
	if (status == STATUS_OK)
		status = watch(&watching);
	follower_clear(&watching.follower);
	return status;
}

const struct command cmd_watch = {
	.name = "watch",
	.no_host = "a machine of the database does not change",
	.summary = "print the changes of a machine as they happen",
	.text = "The kernel announces modules that add or remove PMUs, and CPUs that go online or\n"
		"offline. pmuq then reads the machine again, and prints what is different, as\n"
		"`pmuq diff` does. --json and --jsonl print a line for each state of the machine;\n"
		"the first line is the state at the beginning. Ctrl-C ends the command.\n\n"
		"Examples:\n"
		"  pmuq watch\n"
		"  pmuq watch --for 60 --json | jq -c '.changes[] | [.weight, .pmus, .text]'\n",
	.options = OPTION_LIST(OPTION_FOR, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&watch_document),
	.run = run_watch,
};
