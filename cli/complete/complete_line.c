/* SPDX-License-Identifier: MIT */
/*
 * The words before the cursor, read by the tables of options that the commands use. Finds which
 * command the line is of, what its options select, and what the last word is: an option, the value
 * of one, or a word of the command.
 */
#include "cli/complete/complete.h"
#include "cli/options.h"
#include <string.h>

struct line {
	struct line_completion *completion;
	const enum option *options; /* the command's, or those before it */
	enum option wanting;	    /* the option whose argument comes next, or OPTION_END */
	bool has_no_options;	    /* after -- */
	bool is_lost;		    /* there is no such command */
};

/* An argument that may be left out is never the next word. */
static bool wants_argument(enum option option)
{
	const struct option_row *row = option_row(option);

	return row && row->argument && *row->argument != '[';
}

/* The values that select the machine and the vendor's table whose names are offered. */
static void take_value(struct line *line, enum option option, const char *value)
{
	struct line_completion *completion = line->completion;

	if (option == OPTION_SYSROOT)
		completion->cli.sysroot = value;
	else if (option == OPTION_HOST)
		completion->cli.host = value;
	else if (option == OPTION_DB)
		completion->cli.db = value;
	else if (option == OPTION_VENDOR)
		completion->vendor = value;
}

static enum option find_name(const struct line *line, const char *name)
{
	return options_find(line->options, 0,
			    (struct pmuq_str){ .p = name, .n = strcspn(name, "=") });
}

/* "--name" or "--name=value", without the dashes. */
static void take_long(struct line *line, const char *word)
{
	const char *value = strchr(word, '=');
	enum option option = find_name(line, word);

	if (value)
		take_value(line, option, value + 1);
	else if (wants_argument(option))
		line->wanting = option;
}

/* The option whose value is in the same word; OPTION_END without such an option. */
static enum option find_attached(const struct line *line, const char *letters, const char **ret)
{
	for (; *letters; letters++) {
		enum option option = options_find(line->options, *letters, (struct pmuq_str){ 0 });

		*ret = letters + 1;
		if (wants_argument(option))
			return option;
	}
	return OPTION_END;
}

/* "-abVALUE" or "-ab", without the dash. */
static void take_letters(struct line *line, const char *letters)
{
	const char *value = letters;
	enum option option = find_attached(line, letters, &value);

	if (*value)
		take_value(line, option, value);
	else
		line->wanting = option;
}

/* The command, or a word of it. */
static void take_plain(struct line *line, char *word)
{
	struct line_completion *completion = line->completion;

	if (completion->command) {
		completion->words[completion->n_words++] = word;
		return;
	}
	completion->command = command_find(word);
	line->options = completion->command ? completion->command->options : NULL;
	line->is_lost |= !completion->command;
}

/* A word before the cursor. */
static void take(struct line *line, char *word)
{
	bool may_be_option = !line->has_no_options && word[0] == '-' && word[1];

	if (line->wanting != OPTION_END) {
		take_value(line, line->wanting, word);
		line->wanting = OPTION_END;
	} else if (!may_be_option) {
		take_plain(line, word);
	} else if (strcmp(word, "--") == 0) {
		line->has_no_options = true;
	} else if (word[1] == '-') {
		take_long(line, word + 2);
	} else {
		take_letters(line, word + 1);
	}
}

/* Only what is after the first n bytes of the word is to be completed. */
static void step_in(struct line_completion *completion, size_t n)
{
	completion->n_before += n;
	completion->word += n;
}

/* An option whose argument may be left out is offered twice: alone, and with the "=". */
static void offer_option(struct line_completion *completion, const struct option_row *row)
{
	auto_free char *text = NULL;

	if (asprintf(&text, "--%s", row->name) < 0)
		return;
	complete_offer(completion, 0, text, "", NULL, row->help);
	if (row->argument && *row->argument == '[')
		complete_offer(completion, 0, text, "=", NULL, row->help);
}

static void offer_options(const struct line *line, const enum option *options)
{
	for (; options && *options != OPTION_END; options++)
		offer_option(line->completion, option_row(*options));
}

static void complete_letters(struct line *line)
{
	struct line_completion *completion = line->completion;
	const char *value = completion->word;
	enum option option = find_attached(line, completion->word + 1, &value);

	/* The letter is complete: only a blank can follow. */
	if (option == OPTION_END || !*value) {
		complete_offer(completion, 0, completion->word, "", NULL, NULL);
		return;
	}
	step_in(completion, (size_t)(value - completion->word));
	complete_argument(completion, option_row(option)->argument);
}

/* A word that begins with a dash: letters, a name, or a name and the beginning of its value. */
static void complete_option(struct line *line)
{
	struct line_completion *completion = line->completion;
	const char *word = completion->word, *value = strchr(word, '=');
	const struct option_row *row;

	if (word[1] && word[1] != '-') {
		complete_letters(line);
	} else if (!value) {
		offer_options(line, line->options);
		offer_options(line, options_common);
	} else {
		row = option_row(find_name(line, word + 2));
		step_in(completion, (size_t)(value - word) + 1);
		if (row && row->argument)
			complete_argument(completion, row->argument);
	}
}

static void complete_operand(struct line *line)
{
	line->completion->is_operand = !line->has_no_options;
	complete_usage(line->completion, line->completion->command->arguments);
}

void complete_line(struct line_completion *completion, char **words, size_t n)
{
	struct line line = { .completion = completion, .options = options_global };

	completion->words = calloc(n, sizeof(*completion->words));
	if (!completion->words)
		return;
	for (size_t i = 0; i + 1 < n && !line.is_lost; i++)
		take(&line, words[i]);
	completion->word = words[n - 1];
	if (line.is_lost)
		return;
	if (line.wanting != OPTION_END)
		complete_argument(completion, option_row(line.wanting)->argument);
	else if (!line.has_no_options && completion->word[0] == '-')
		complete_option(&line);
	else if (completion->command)
		complete_operand(&line);
	else
		complete_placeholder(completion, "COMMAND", strlen("COMMAND"));
}
