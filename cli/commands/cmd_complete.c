/* SPDX-License-Identifier: MIT */
/*
 * `pmuq complete`: prints the words that a shell may offer. The files of the shells are in
 * completions/; they call this command for every key, so it starts no process and waits only for
 * what the word needs.
 */
#include "cli/complete/complete.h"
#include "cli/or_die.h"
#include "cli/report.h"

/* The exit status is 0 even if nothing could be read: a shell would print a message into the
 * command line. It is not 0 if there is no memory, because words are missing then. */
static enum status run_complete(const struct options *options)
{
	struct line_completion completion = { 0 };

	/* A user who presses a key does not expect errors. */
	if (!freopen("/dev/null", "w", stderr))
		return STATUS_FAILED;
	/* The machine of the line, otherwise that of the command itself. */
	for (size_t i = 0; i < options->taken.n; i++)
		push_or_die(&completion.options.taken, options->taken.v[i]);
	complete_line(&completion, options->operands, options->n_operands);
	complete_print(&completion, stdout);
	complete_clear(&completion);
	return report_had_no_memory() ? STATUS_FAILED : STATUS_OK;
}

const struct command cmd_complete = {
	.name = "complete",
	.arguments = "-- [WORD...]",
	.needs = "the words of a command line after --",
	.summary = "complete a command line, for shells",
	.text = "The WORDs are those after `pmuq`, the last one up to the cursor; it is empty if\n"
		"no word is begun. Each line is a word that can replace the last one, and perhaps\n"
		"a tab and a description. A word that ends in = / , or : can be continued.\n"
		"Nothing is opened and nothing is written. If the machine or the database cannot\n"
		"be read there are fewer words, but there is no error.\n\n"
		"Examples:\n"
		"  pmuq complete -- encode cpu/ev\n"
		"  pmuq complete -- --host web01 show ''\n",
	.run = run_complete,
};
