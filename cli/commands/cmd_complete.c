/* SPDX-License-Identifier: MIT */
/* `pmuq complete`: what a shell may offer at the cursor. The shells' files are in completions/. */
#include "cli/complete/complete.h"
#include "cli/options.h"

static int run_complete(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct completion completion = { .cli = *cli };
	struct options options;

	options_begin(&options, cli, command, argc, argv);
	if (options_next(&options) != OPTIONS_END)
		return options.status;
	if (optind == argc)
		return usage_error(command, "the words of a command line belong behind --");
	/* Who presses a key did not ask for errors. */
	if (!freopen("/dev/null", "w", stderr))
		return STATUS_FAILED;
	complete_line(&completion, argv + optind, (size_t)(argc - optind));
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
