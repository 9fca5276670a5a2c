/* SPDX-License-Identifier: MIT */
/*
 * Finds out what the last word of a line is: an option, the value of an option, or a word of the
 * command. The words before it are read like any command line (options.h), but mistakes in them are
 * ignored.
 */
/*
 * The words before the cursor, read by the options table of each command. This shows which command
 * the line calls, what its options select, and what the last word is.
 */
#include "cli/complete/complete.h"
#include "cli/or_die.h"
#include <string.h>

/* The options that are allowed at the end of the line, without those of every command. */
static const enum option *options_here(const struct line_completion *completion)
{
	const struct command *command = completion->options.command;

	return command ? command->options : options_global;
}

/* The option whose value is in the same word; OPTION_END if there is none. */
static enum option find_attached(const struct line_completion *completion, const char *letters,
				 const char **ret)
{
	const enum option *list = options_here(completion);

	for (; *letters; letters++) {
		enum option option = options_find(list, *letters, (struct pmuq_str){ 0 });
		const struct option_row *row = option_row(option);

		*ret = letters + 1;
		/* An optional argument is never attached to the letter. */
		if (row && row->argument && *row->argument != '[')
			return option;
	}
	return OPTION_END;
}

/* Completes only what follows the first n bytes of the word. */
static void step_in(struct line_completion *completion, size_t n)
{
	completion->n_before += n;
	completion->word += n;
}

/* An option with an optional argument is offered twice: alone, and with the "=". */
static void offer_option(struct line_completion *completion, const struct option_row *row)
{
	auto_free char *text = print_or_die("--%s", row->name);

	complete_offer(completion, 0, text, "", NULL, row->help);
	if (row->argument && *row->argument == '[')
		complete_offer(completion, 0, text, "=", NULL, row->help);
}

static void offer_options(struct line_completion *completion, const enum option *options)
{
	for (; options && *options != OPTION_END; options++)
		offer_option(completion, option_row(*options));
}

static void complete_letters(struct line_completion *completion)
{
	const char *value = completion->word;
	enum option option = find_attached(completion, completion->word + 1, &value);

	/* The letter is complete: only a blank can follow. */
	if (option == OPTION_END || !*value) {
		complete_offer(completion, 0, completion->word, "", NULL, NULL);
		return;
	}
	step_in(completion, (size_t)(value - completion->word));
	complete_argument(completion, option_row(option)->argument);
}

/* A word that begins with a dash: letters, a name, or a name and the beginning of its value. */
static void complete_option(struct line_completion *completion)
{
	const char *word = completion->word, *value = strchr(word, '=');
	const struct option_row *row;
	struct pmuq_str name;

	if (word[1] && word[1] != '-') {
		complete_letters(completion);
	} else if (!value) {
		offer_options(completion, options_here(completion));
		offer_options(completion, options_common);
	} else {
		name = (struct pmuq_str){ .p = word + 2, .n = (size_t)(value - word) - 2 };
		row = option_row(options_find(options_here(completion), 0, name));
		step_in(completion, (size_t)(value - word) + 1);
		if (row && row->argument)
			complete_argument(completion, row->argument);
	}
}

void complete_line(struct line_completion *completion, char **words, size_t n)
{
	struct options *options = &completion->options;

	completion->word = words[n - 1];
	options->is_incomplete = true;
	options_read(options, NULL, n - 1, words);
	if (options->n_operands) {
		const struct command *command = command_find(options->operands[0]);

		if (!command)
			return;
		options_read(options, command, options->n_operands - 1, options->operands + 1);
	}
	if (options->wanting != OPTION_END) {
		complete_argument(completion, option_row(options->wanting)->argument);
	} else if (!options->has_no_options && completion->word[0] == '-') {
		complete_option(completion);
	} else if (options->command) {
		completion->is_operand = !options->has_no_options;
		complete_usage(completion, options->command->arguments);
	} else {
		complete_placeholder(completion, "COMMAND", strlen("COMMAND"));
	}
}
