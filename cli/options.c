/* SPDX-License-Identifier: MIT */
/*
 * Reads a command line by the table of all options, from front to back. Operands are moved to its
 * beginning, so that they may come before, between and after the options. Arguments are checked
 * here if the rows contain the allowed values; the command checks the others.
 */
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/perf_habits.h"
#include "cli/report.h"
#include "cli/served.h"
#include "cli/terminal.h"
#include "core/num.h"
#include <stdarg.h>
#include <string.h>

#define USAGE_COLUMNS 100u

static const struct option_row rows[] = {
#define ROW(id, ...) [OPTION_##id] = { __VA_ARGS__ },
	OPTIONS(ROW)
#undef ROW
};

const enum option options_common[] = { OPTION_SYSROOT, OPTION_HOST, OPTION_VIA, OPTION_DB,
				       OPTION_COLOR,   OPTION_HELP, OPTION_END };
const enum option options_global[] = { OPTION_VERSION, OPTION_VERBOSE, OPTION_END };

const struct option_row *option_row(enum option option)
{
	return option > OPTION_END && option < COUNT(rows) ? &rows[option] : NULL;
}

/* ------------------------------------------------------------------------------------- reading */

/* The command whose help the errors of the command line name: a process runs one command. */
static const struct command *current;

/* The words to read, from words[at] on. options->operands is the beginning of the same array: an
 * operand never moves past a word that was not read yet. */
struct word_reader {
	struct options *options;
	const enum option *lists[2]; /* that are allowed here */
	char **words;
	size_t n, at;
};

enum option options_find(const enum option *list, char letter, struct pmuq_str name)
{
	const enum option *const lists[] = { list, options_common };

	for (size_t i = 0; i < COUNT(lists); i++)
		for (list = lists[i]; list && *list != OPTION_END; list++)
			if (letter ? rows[*list].letter == letter
				   : str_eq(str_of(rows[*list].name), name))
				return *list;
	return OPTION_END;
}

static const char *next_name(const void *of, size_t index)
{
	const struct word_reader *reader = of;

	for (size_t i = 0; i < COUNT(reader->lists); i++) {
		const enum option *option = reader->lists[i];

		for (; option && *option != OPTION_END; option++)
			if (index-- == 0)
				return rows[*option].name;
	}
	return NULL;
}

static bool is_number(struct pmuq_str text, int32_t most)
{
	uint64_t number;

	return pq_num_decimal(text, &number) == PQ_NUM_OK && number > 0 && number <= (uint64_t)most;
}

/* The index of the word in "A|B", from 1; 0: it is not one of them. */
static unsigned choice_of(struct pmuq_str words, struct pmuq_str text)
{
	struct pmuq_str word;

	for (unsigned index = 1; str_next(&words, '|', &word); index++)
		if (str_eq(word, text))
			return index;
	return 0;
}

/* --color takes effect at once, so that it holds for errors of the words after it. */
static enum status check_argument(const struct option_row *row, const char *argument)
{
	if (row->most && argument && !is_number(str_of(argument), row->most))
		return usage_error("--%s takes a number from 1 to %d, not '%s'", row->name,
				   row->most, argument);
	if (row->is_choice && !choice_of(str_of(row->argument), str_of(argument)))
		return usage_error("--%s takes %s, not '%s'", row->name, row->argument, argument);
	if (row == &rows[OPTION_COLOR] && !terminal_set_color(argument))
		return usage_error("--color takes auto, always or never, not '%s'", argument);
	return STATUS_OK;
}

/* All repeated options are kept, in their order: -f and --from use each of them, others the last
 * one. */
static enum status take(struct options *options, enum option option, const char *argument)
{
	const struct taken_option taken = { .option = option, .argument = argument };

	if (rows[option].is_form && options->form && options->form != option)
		return usage_error("--%s and --%s exclude each other", rows[options->form].name,
				   rows[option].name);
	if (rows[option].is_form)
		options->form = option;
	options->wants_help |= option == OPTION_HELP;
	push_or_die(&options->taken, taken);
	return check_argument(&rows[option], argument);
}

/* The word after the option is its argument. */
static enum status take_next(struct word_reader *reader, enum option option, const char *word)
{
	if (reader->at == reader->n) {
		reader->options->wanting = option;
		return usage_error("option '%s' needs an argument", word);
	}
	return take(reader->options, option, reader->words[reader->at++]);
}

static enum status unknown_option(const char *word, const char *hint)
{
	if (hint)
		return usage_error("unknown option '%s': %s", word, hint);
	return usage_error("unknown option '%s'", word);
}

static enum status unknown_name(const struct word_reader *reader, const char *word,
				struct pmuq_str name)
{
	auto_free char *copy = or_die(strndup(name.p, name.n));
	const char *hint = perf_option_hint(0, copy);
	const char *near = hint ? NULL : nearest(word + 2, next_name, reader);

	if (near)
		return usage_error("unknown option '%s'; did you mean '--%s'?", word, near);
	return unknown_option(word, hint);
}

/* "--name=VALUE" or "--name VALUE". An optional argument needs the =, because the next word may be
 * an operand. */
static enum status read_name(struct word_reader *reader, const char *word)
{
	const char *value = strchr(word, '='), *argument;
	struct pmuq_str name = { .p = word + 2, .n = (value ? value : strchr(word, 0)) - word - 2 };
	enum option option = options_find(reader->lists[0], 0, name);

	if (option == OPTION_END)
		return unknown_name(reader, word, name);
	argument = rows[option].argument;
	if (value && !argument)
		return usage_error("'%s': the option takes no argument", word);
	if (value || !argument || *argument == '[')
		return take(reader->options, option, value ? value + 1 : NULL);
	return take_next(reader, option, word);
}

/* The word may be meant as an operand, such as the name of a host. */
static enum status unknown_letter(const struct word_reader *reader, const char *word)
{
	static const char operand_hint[] =
		"put -- after the options, before an operand that begins with -";
	const struct command *command = reader->options->command;
	const char *perf_hint = perf_option_hint(word[1], NULL);
	auto_free char *both = NULL;

	if (!command || !command->arguments)
		return unknown_option(word, perf_hint);
	if (!perf_hint)
		return unknown_option(word, operand_hint);
	both = print_or_die("%s; %s", perf_hint, operand_hint);
	return unknown_option(word, both);
}

/* A word may contain several letters; the last may have its argument attached. */
static enum status read_letters(struct word_reader *reader, const char *letters)
{
	enum status status = STATUS_OK;

	for (; status == STATUS_OK && *letters; letters++) {
		const char word[] = { '-', *letters, 0 };
		enum option option =
			options_find(reader->lists[0], *letters, (struct pmuq_str){ 0 });

		if (option == OPTION_END)
			return unknown_letter(reader, word);
		if (!rows[option].argument)
			status = take(reader->options, option, NULL);
		else if (letters[1])
			return take(reader->options, option, letters + 1);
		else
			return take_next(reader, option, word);
	}
	return status;
}

static enum status read_words(struct word_reader *reader)
{
	struct options *options = reader->options;
	enum status status = STATUS_OK;

	options->has_no_options = false;
	while (reader->at < reader->n &&
	       (options->is_incomplete || (status == STATUS_OK && !options->wants_help))) {
		char *word = reader->words[reader->at++];

		if (options->has_no_options || word[0] != '-' || !word[1]) {
			options->operands[options->n_operands++] = word;
			if (!options->command)
				return STATUS_OK;
		} else if (strcmp(word, "--") == 0) {
			options->has_no_options = true;
		} else if (word[1] == '-') {
			status = read_name(reader, word);
		} else {
			status = read_letters(reader, word + 1);
		}
	}
	return status;
}

/* The results are set even after a mistake: the caller may free them. */
enum status options_read(struct options *options, const struct command *command, size_t n,
			 char **words)
{
	struct word_reader reader = {
		.options = options,
		.lists = { command ? command->options : options_global, options_common },
		.words = words,
		.n = n,
	};
	enum status status;

	current = options->command = command;
	options->operands = words;
	options->n_operands = 0;
	status = read_words(&reader);
	if (!command && options->n_operands) {
		options->operands = words + reader.at - 1;
		options->n_operands = n - (reader.at - 1);
	}
	options->operands[options->n_operands] = NULL;
	options->cli = (struct cli){
		.sysroot = option_value(options, OPTION_SYSROOT),
		.host = option_value(options, OPTION_HOST),
		.via = option_value(options, OPTION_VIA),
		.db = option_value(options, OPTION_DB),
	};
	options->output = (struct output_choice){
		.form = options->form == OPTION_JSON	? DOCUMENT_JSON
			: options->form == OPTION_JSONL ? DOCUMENT_JSONL
			: options->form == OPTION_YAML	? DOCUMENT_YAML
							: DOCUMENT_NONE,
		.columns = option_value(options, OPTION_COLUMNS),
		.is_raw = options->form == OPTION_RAW,
		.has_no_headings = option_is_set(options, OPTION_NOHEADINGS),
		.has_no_pager = option_is_set(options, OPTION_NO_PAGER),
	};
	return status;
}

void options_clear(struct options *options)
{
	pq_vec_free(&options->taken);
}

/* ------------------------------------------------------------------------------------- results */

static const struct taken_option *find_taken(const struct options *options, enum option option)
{
	for (size_t i = options->taken.n; i-- > 0;)
		if (options->taken.v[i].option == option)
			return &options->taken.v[i];
	return NULL;
}

bool option_is_set(const struct options *options, enum option option)
{
	return find_taken(options, option);
}

const char *option_value(const struct options *options, enum option option)
{
	const struct taken_option *taken = find_taken(options, option);

	return taken ? taken->argument : NULL;
}

unsigned option_choice(const struct options *options, enum option option)
{
	return choice_of(str_of(rows[option].argument), str_of(option_value(options, option)));
}

int32_t option_number(const struct options *options, enum option option, int32_t otherwise)
{
	uint64_t number;

	return pq_num_decimal(str_of(option_value(options, option)), &number) == PQ_NUM_OK
		       ? (int32_t)number
		       : otherwise;
}

/* ---------------------------------------------------------------------------------------- help */

/* Where the help of an option begins; a longer option has it on a line of its own. */
#define HELP_COLUMN 28

static void print_row(FILE *to, const struct option_row *row)
{
	char letter[] = { '-', row->letter, ',', ' ', 0 };
	bool has_blank = row->argument && *row->argument != '[';
	int width = fprintf(to, "  %s--%s%s%s", row->letter ? letter : "    ", row->name,
			    has_blank ? " " : "", row->argument ? row->argument : "");

	if (width >= HELP_COLUMN)
		width = fprintf(to, "\n") - 1;
	fprintf(to, "%*s%s\n", HELP_COLUMN - width, "", row->help);
}

void options_print(FILE *to, const enum option *options)
{
	for (; *options != OPTION_END; options++)
		print_row(to, &rows[*options]);
}

/* The options that select a form, or the others, if there are any. */
static void print_group(FILE *to, const char *heading, const enum option *options, bool are_forms)
{
	bool is_first = true;

	for (; options && *options != OPTION_END; options++) {
		if (rows[*options].is_form != are_forms)
			continue;
		if (is_first)
			fprintf(to, "\n%s:\n", heading);
		is_first = false;
		print_row(to, &rows[*options]);
	}
}

/* Long arguments are a line of their own. */
static void print_usage(FILE *to, const struct command *command, const char *before)
{
	const char *arguments = command->arguments ? command->arguments : "";
	int n = fprintf(to, "Usage: %s%s%s", before, command->name,
			command->options ? " [OPTION...]" : "");
	bool is_long = (size_t)n + strlen(arguments) >= USAGE_COLUMNS;

	fprintf(to, "%s%s\n", !*arguments ? "" : is_long ? "\n       " : " ", arguments);
}

void command_print_help(FILE *to, const struct command *command)
{
	const char *before = command->is_program ? "" : "pmuq ";

	fprintf(to, "%s%s: %s\n\n", before, command->name, command->summary);
	print_usage(to, command, before);
	print_group(to, "Options", command->options, false);
	print_group(to, "Forms of the output (one of them)", command->options, true);
	print_group(to, "Options of every command (the default machine is this one)",
		    options_common, false);
	if (command->text)
		fprintf(to, "\n%s", command->text);
	if (command->is_program)
		fprintf(to, "\nManual: %s(8)\n", command->name);
	else
		fprintf(to, "\nManual: pmuq-%s(1)\n", command->name);
}

static void print_try(FILE *to)
{
	if (current && current->is_program)
		fprintf(to, "Try `%s --help`.\n", current->name);
	else
		fprintf(to, "Try `pmuq help%s%s`.\n", current ? " " : "",
			current ? current->name : "");
}

enum status usage_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_line(REPORT_ERROR, format, args);
	va_end(args);
	if (!served)
		print_try(stderr);
	return STATUS_USAGE;
}

/* Longer words are not misspelt names. */
#define WORD_BYTES_MAX 64

const char *nearest(const char *word, const char *(*next)(const void *of, size_t index),
		    const void *of)
{
	struct pmuq_str wanted = str_of(word);
	size_t best = wanted.n / 3 + 2;
	const char *found = NULL, *name;

	if (wanted.n == 0 || wanted.n > WORD_BYTES_MAX)
		return NULL;
	for (size_t i = 0; (name = next(of, i)); i++) {
		struct pmuq_str known = str_of(name);
		size_t edits = known.n > wanted.n && str_starts(known, wanted)
				       ? 1
				       : str_distance(wanted, known, best);

		if (edits >= best)
			continue;
		best = edits;
		found = name;
	}
	return found;
}
