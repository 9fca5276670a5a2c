/* SPDX-License-Identifier: MIT */
/* `pmuq complete`: what a shell may offer at the cursor. The shells' files are in completions/. */
#include "cli/complete/complete.h"
#include "cli/options.h"

static enum status run_complete(struct options *options)
{
	struct completion completion = { .cli = *options->cli };

	if (options_next(options) != OPTION_END)
		return options->status;
	if (!options->n_operands)
		return usage_error(options->command, "give the words of a command line after --");
	/* Who presses a key does not expect errors. */
	if (!freopen("/dev/null", "w", stderr))
		return STATUS_FAILED;
	complete_line(&completion, options->words, options->n_operands);
	complete_print(&completion, stdout);
	complete_clear(&completion);
	return STATUS_OK;
}

const struct command cmd_complete = {
	.name = "complete",
	.arguments = "-- [WORD...]",
	.summary = "what a command line may go on with: for shells",
	.text = "The WORDs are those behind `pmuq`, the last one up to the cursor, \"\" where\n"
		"none is begun. Each line is a word that may stand there instead, and behind a\n"
		"tab what it is. One that ends in = / , or : goes on. Nothing is opened for\n"
		"counting and nothing is written; where the machine or the database cannot be\n"
		"read there are fewer words, and no error.\n\n"
		"Examples:\n"
		"  pmuq complete -- encode cpu/ev\n"
		"  pmuq complete -- --host web01 show ''\n",
	.run = run_complete,
};
