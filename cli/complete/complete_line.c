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
	const struct option_row *wanting; /* the option whose argument comes next */
	bool has_no_options;		  /* after -- */
	bool is_lost;			  /* there is no such command */
};

/* The lists of options that are known here: the command's and everyone's. */
static const enum option *list_of(const struct line *line, size_t index)
{
	const struct command *command = line->completion->command;

	if (index > 0)
		return options_common;
	return command ? command->options : options_global;
}

/* By the letter, or by the name. */
static const struct option_row *find_row(const struct line *line, char letter, const char *name,
					 size_t n)
{
	for (size_t i = 0; i < 2; i++) {
		const enum option *option = list_of(line, i);

		for (; option && *option != OPTION_END; option++) {
			const struct option_row *row = option_row(*option);

			if (name ? strlen(row->name) == n && strncmp(row->name, name, n) == 0
				 : row->letter == letter)
				return row;
		}
	}
	return NULL;
}

static bool wants_argument(const struct option_row *row)
{
	return row && row->argument && *row->argument != '[';
}

static void take_value(struct line *line, const struct option_row *row, const char *value)
{
	struct line_completion *completion = line->completion;
	const struct {
		const char *name;
		const char **at;
	} kept[] = {
		{ "sysroot", &completion->cli.sysroot },
		{ "host", &completion->cli.host },
		{ "db", &completion->cli.db },
		{ "vendor", &completion->vendor },
	};

	for (size_t i = 0; i < COUNT(kept); i++)
		if (strcmp(kept[i].name, row->name) == 0)
			*kept[i].at = value;
}

static void take_long(struct line *line, const char *word)
{
	size_t n = strcspn(word, "=");
	const struct option_row *row = find_row(line, 0, word, n);

	if (!row || !row->argument)
		return;
	if (word[n])
		take_value(line, row, word + n + 1);
	else if (wants_argument(row))
		line->wanting = row;
}

/* The option whose value is in the same word, and the offset of the value; NULL without such an
 * option. */
static const struct option_row *find_attached(const struct line *line, const char *letters,
					      const char **ret)
{
	for (; *letters; letters++) {
		const struct option_row *row = find_row(line, *letters, NULL, 0);

		if (!wants_argument(row))
			continue;
		*ret = letters + 1;
		return row;
	}
	return NULL;
}

static void take_letters(struct line *line, const char *letters)
{
	const char *value;
	const struct option_row *row = find_attached(line, letters, &value);

	if (row && *value)
		take_value(line, row, value);
	else
		line->wanting = row;
}

static void take_plain(struct line *line, char *word)
{
	struct line_completion *completion = line->completion;

	if (completion->command) {
		completion->words[completion->n_words++] = word;
		return;
	}
	completion->command = command_find(word);
	line->is_lost |= !completion->command;
}

static void take(struct line *line, char *word)
{
	bool may_be_option = !line->has_no_options && word[0] == '-' && word[1];

	if (line->wanting) {
		take_value(line, line->wanting, word);
		line->wanting = NULL;
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

static void offer_option(struct line_completion *completion, const struct option_row *row)
{
	auto_free char *text = NULL;

	if (asprintf(&text, "--%s", row->name) < 0)
		return;
	complete_offer(completion, 0, text, "", NULL, row->help);
	if (row->argument && *row->argument == '[')
		complete_offer(completion, 0, text, "=", NULL, row->help);
}

static void offer_options(struct line *line)
{
	for (size_t i = 0; i < 2; i++) {
		const enum option *option = list_of(line, i);

		for (; option && *option != OPTION_END; option++)
			offer_option(line->completion, option_row(*option));
	}
}

static void complete_letters(struct line *line)
{
	struct line_completion *completion = line->completion;
	const char *value = NULL;
	const struct option_row *row = find_attached(line, completion->word + 1, &value);

	/* The letter is complete: only a blank can follow. */
	if (!row || !*value) {
		complete_offer(completion, 0, completion->word, "", NULL, NULL);
		return;
	}
	step_in(completion, (size_t)(value - completion->word));
	complete_argument(completion, row->argument);
}

static void complete_option(struct line *line)
{
	struct line_completion *completion = line->completion;
	const char *word = completion->word;
	size_t n = strcspn(word, "=");
	const struct option_row *row;

	if (word[1] && word[1] != '-') {
		complete_letters(line);
		return;
	}
	if (!word[n]) {
		offer_options(line);
		return;
	}
	row = find_row(line, 0, word + 2, n - 2);
	if (!row || !row->argument)
		return;
	step_in(completion, n + 1);
	complete_argument(completion, row->argument);
}

void complete_line(struct line_completion *completion, char **words, size_t n)
{
	struct line line = { .completion = completion };

	completion->words = calloc(n, sizeof(*completion->words));
	if (!completion->words)
		return;
	for (size_t i = 0; i + 1 < n && !line.is_lost; i++)
		take(&line, words[i]);
	completion->word = words[n - 1];
	if (line.is_lost)
		return;
	if (line.wanting)
		complete_argument(completion, line.wanting->argument);
	else if (!line.has_no_options && completion->word[0] == '-')
		complete_option(&line);
	else if (completion->command)
		complete_usage(completion, completion->command->arguments);
	else
		complete_placeholder(completion, "COMMAND", strlen("COMMAND"));
}
