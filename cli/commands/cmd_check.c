/* SPDX-License-Identifier: MIT */
/*
 * `pmuq check`: whether the kernel that runs opens events, for whom they are meant, and with
 * --count whether they count. How an answer looks: check_text.c and check_json.c.
 */
#include "cli/events/check_output.h"
#include "cli/events/event_strings.h"
#include "cli/output/document.h"
#include <string.h>

enum {
	KEY_COUNT = ASK_OWN,
	KEY_RDPMC,
	KEY_JSON,
};

static const struct option_row check_options[] = {
	{ 'p', "pid", "PID", "for that process or thread, not for this one" },
	{ 'C', "cpu", "CPUS", "for everyone on these CPUs, as 0-3,8; with -p: for it on these" },
	{ 'G', "cgroup", "PATH", "for that cgroup, as /proc/PID/cgroup or by its directory" },
	{ KEY_COUNT, "count", "[=MS]", "let each count for MS milliseconds (100), and tell it" },
	{ KEY_RDPMC, "rdpmc", NULL, "count, and read the counter in user space where granted" },
	{ KEY_JSON, "json", NULL, "one JSON document" },
	ASK_OPTIONS,
};

struct check {
	struct ask ask;
	struct pmuq_open_options open;
	bool counts, is_json;
	size_t n_answers;
	struct pmuq_budget budget; /* of all */
	struct document document;
};

static struct check *check_of(struct ask *ask)
{
	return (struct check *)ask;
}

bool check_group_of(const struct check_answer *check, size_t index, struct check_group *ret)
{
	const struct pmuq_encodings *encodings = check->answer->encodings;
	const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, index);

	*ret = (struct check_group){ .opens = true, .parts = 1, .breaker = SIZE_MAX };
	if (!encoding->n_members || encoding->leader != index)
		return false;
	ret->leader = index;
	ret->members = encoding->n_members;
	ret->name = encoding->group_name.p;
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++)
		if (check_is_member(check, i, index) &&
		    pmuq_open_results_get(check->answer->verdicts, i)->status != PMUQ_OPENED)
			ret->opens = false;
	if (check->counts && pmuq_counts_get(check->counts, index)->is_grouped) {
		ret->is_counted = true;
		ret->parts = pmuq_counts_get(check->counts, index)->n_subgroups;
		ret->breaker = pmuq_counts_get(check->counts, index)->breaker;
	}
	return true;
}

bool check_is_member(const struct check_answer *check, size_t index, size_t leader)
{
	const struct pmuq_encoding *encoding = pmuq_encodings_get(check->answer->encodings, index);

	return encoding->n_members && encoding->leader == leader;
}

bool check_counts_not(const struct check_answer *check, size_t index)
{
	enum pmuq_counting status;

	if (!check->counts ||
	    pmuq_open_results_get(check->answer->verdicts, index)->status != PMUQ_OPENED)
		return false;
	status = pmuq_counts_get(check->counts, index)->status;
	return status == PMUQ_NEVER_SCHEDULED || status == PMUQ_NOT_COUNTED;
}

static int status_of(const struct check_answer *check)
{
	struct check_group group;

	for (size_t i = 0; i < pmuq_encodings_count(check->answer->encodings); i++) {
		if (pmuq_open_results_get(check->answer->verdicts, i)->status == PMUQ_REFUSED ||
		    check_counts_not(check, i))
			return STATUS_REFUSED;
		if (check_group_of(check, i, &group) && group.breaker != SIZE_MAX)
			return STATUS_REFUSED;
	}
	return STATUS_OK;
}

static void show(struct check *check, const struct check_answer *answer)
{
	if (!check->is_json) {
		check_print(answer, check->n_answers == 0);
	} else {
		document_begin_row(&check->document);
		check_write(check->document.sink, answer);
		document_end_row(&check->document);
	}
	check->n_answers++;
}

/* What all take is known before anything is opened; it is told at the end. */
static int ask_kernel(struct check *check, struct answer *answer,
		      struct pmuq_open_results **verdicts, struct pmuq_counts **counts,
		      struct pmuq_error **reterr)
{
	struct pmuq_budget budget = { .size = sizeof(budget) };
	int r = pmuq_encodings_budget(answer->encodings, &check->open, &budget, reterr);

	if (r < 0)
		return r;
	check->budget.needed += budget.needed;
	r = pmuq_encodings_test_open(answer->encodings, &check->open, verdicts, reterr);
	if (r < 0 || !check->counts)
		return r;
	return pmuq_encodings_measure(answer->encodings, &check->open, counts, reterr);
}

static void answer_one(struct ask *ask, struct answer *answer)
{
	cleanup(verdicts_freep) struct pmuq_open_results *verdicts = NULL;
	cleanup(counts_freep) struct pmuq_counts *counts = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct check *check = check_of(ask);
	struct check_answer shown = { .answer = answer, .cgroup = check->open.cgroup };

	if (answer->encodings && ask_kernel(check, answer, &verdicts, &counts, &error) < 0)
		ask_refuse(ask, answer, diagnosis_of(error));
	answer->verdicts = verdicts;
	shown.counts = counts;
	if (answer->encodings)
		ask->status = status_worse(ask->status, status_of(&shown));
	show(check, &shown);
}

/* A positive number without a sign, up to that of an int; 0 for anything else. */
static int positive(const char *text)
{
	int64_t number = 0;

	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return 0;
		number = number * 10 + (*text - '0');
		if (number > INT32_MAX)
			return 0;
	}
	return (int)number;
}

static int take_count(struct check *check, const char *text)
{
	int ms = text ? positive(text) : 0;

	if (text && !ms)
		return usage_error(check->ask.command,
				   "--count takes milliseconds, 1 or more, not '%s'", text);
	check->counts = true;
	check->open.work_ms = (unsigned)ms;
	return STATUS_OK;
}

static int take(struct ask *ask, int key)
{
	struct check *check = check_of(ask);

	switch (key) {
	case 'p':
		check->open.pid = positive(optarg);
		if (!check->open.pid)
			return usage_error(ask->command, "'%s' is no number of a process", optarg);
		return STATUS_OK;
	case 'C':
		check->open.cpus = optarg;
		return STATUS_OK;
	case 'G':
		check->open.cgroup = optarg;
		return STATUS_OK;
	case KEY_COUNT:
		return take_count(check, optarg);
	case KEY_RDPMC:
		check->counts = check->open.wants_page = true;
		return STATUS_OK;
	default:
		check->is_json = true;
		return STATUS_OK;
	}
}

static int begin(struct ask *ask)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct check *check = check_of(ask);

	if (!pmuq_source_is_live(ask->source))
		return usage_error(ask->command, "check asks the kernel that runs: it has nothing "
						 "to say about --sysroot and --host");
	if (check->open.pid && check->open.cgroup)
		return usage_error(ask->command, "-p and -G name two targets; give one");
	if (pmuq_encodings_budget(NULL, &check->open, &check->budget, &error) < 0)
		return report_error(error, NULL);
	if (check->is_json) {
		int status = document_begin(&check->document, DOCUMENT_JSON, "pmuq.check/1");

		if (status != STATUS_OK)
			return status;
		document_begin_rows(&check->document, "inputs");
	}
	return STATUS_OK;
}

static int end(struct ask *ask)
{
	struct check *check = check_of(ask);

	if (!check->is_json) {
		if (check->budget.needed)
			check_print_budget(&check->budget);
		return STATUS_OK;
	}
	document_end_rows(&check->document);
	doc_key(check->document.sink, "budget");
	check_write_budget(check->document.sink, &check->budget);
	return document_end(&check->document);
}

static int run_check(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct check check = {
		.ask = {
			.command = command,
			.take = take,
			.begin = begin,
			.end = end,
			.answer = answer_one,
		},
		.open = { .size = sizeof(check.open) },
		.budget = { .size = sizeof(check.budget) },
	};

	return ask_run(&check.ask, cli, argc, argv);
}

const struct command cmd_check = {
	.name = "check",
	.arguments = "EVENT...",
	.summary = "whether this kernel opens events, why not, and whether they count",
	.text = ASK_TEXT
	"the exit status is the worst: 1 invalid, 3 refused by the kernel or (with\n"
	"--count) never on a counter, 4 unreadable input. Nothing is enabled without\n"
	"--count or --rdpmc.\n\n"
	"Examples:\n"
	"  pmuq check cycles:u page-faults\n"
	"  pmuq check --count '{cycles,instructions,cache-misses}'\n"
	"  pmuq check -p 1234 --count=1000 context-switches\n"
	"  pmuq check -C 0-3 --json 'msr/tsc/'\n",
	.options = check_options,
	.n_options = COUNT(check_options),
	.run = run_check,
};
