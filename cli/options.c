/* SPDX-License-Identifier: MIT */
/*
 * The table of all options, and how words of the command line are taken for them. A command line is
 * read from front to back; operands are moved to its beginning, so that they may come before,
 * between and after the options.
 */
#include "cli/options.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include <stdarg.h>
#include <string.h>

// clang-format off
static const struct option_row rows[] = {
	[OPTION_SYSROOT]      = { 0,   "sysroot",      "DIR|FILE", "use a captured tree or tar, a document or a recording" },
	[OPTION_HOST]         = { 0,   "host",         "MACHINE",  "use a host of the database: NAME or NAME@SNAPSHOT" },
	[OPTION_DB]           = { 0,   "db",           "FILE",     "use the database FILE" },
	[OPTION_COLOR]        = { 0,   "color",        "WHEN",     "color stdout and stderr: auto (on terminals), always, never" },
	[OPTION_HELP]         = { 'h', "help",         NULL,       "print help" },
	[OPTION_VERSION]      = { 'V', "version",      NULL,       "print the version" },
	[OPTION_VERBOSE]      = { 'v', "verbose",      NULL,       "with --version: also print build options and libraries" },

	[OPTION_JSON]         = { 'J', "json",         NULL,       "print JSON", .is_form = true },
	[OPTION_JSONL]        = { 0,   "jsonl",        NULL,       "print JSON lines, each as soon as it is known", .is_form = true },
	[OPTION_YAML]         = { 0,   "yaml",         NULL,       "print YAML", .is_form = true },
	[OPTION_COLUMNS]      = { 'o', "columns",      "COLUMNS",  "print these columns: A,B,C; +A,B adds to the default ones" },
	[OPTION_LIST_COLUMNS] = { 0,   "list-columns", NULL,       "list the columns" },
	[OPTION_RAW]          = { 'r', "raw",          NULL,       "print one blank between columns, blanks in texts as \\x20", .is_form = true },
	[OPTION_NOHEADINGS]   = { 'n', "noheadings",   NULL,       "print no line of headings" },
	[OPTION_NO_PAGER]     = { 0,   "no-pager",     NULL,       "do not use a pager if the terminal is too small" },
	[OPTION_ALL]          = { 'a', "all",          NULL,       "print everything: nothing folded, nothing left out" },
	[OPTION_FOLD]         = { 0,   "fold",         NULL,       "print sibling instances as one row, not on terminals only" },
	[OPTION_C]            = { 0,   "c",            NULL,       "print C: a struct perf_event_attr for each encoding", .is_form = true },
	[OPTION_HEX]          = { 0,   "hex",          NULL,       "print the bytes of each attr in hex, a line each", .is_form = true },
	[OPTION_BYTES]        = { 0,   "bytes",        NULL,       "write the bytes of the attrs, one after the other", .is_form = true },
	[OPTION_OUTPUT]       = { 0,   "output",       "FILE",     "write to FILE, which keeps its content if that fails; -: stdout" },
	[OPTION_BRIEF]        = { 'q', "brief",        NULL,       "print only whether they differ", .is_form = true },
	[OPTION_STAT]         = { 0,   "stat",         NULL,       "print the number of changes of each weight, for each PMU", .is_form = true },
	[OPTION_DRY_RUN]      = { 0,   "dry-run",      NULL,       "change nothing; print what would be done" },

	[OPTION_FILE]         = { 'f', "file",         "FILE",     "read FILE, one event string or attr per line; -: stdin" },
	[OPTION_DIALECT]      = { 0,   "dialect",      "pmuq|perf", "parse like pmuq (default) or exactly like perf" },
	[OPTION_STRICT]       = { 0,   "strict",       NULL,       "treat warnings as errors" },
	[OPTION_FROM]         = { 0,   "from",         "LIST",     "use names of these sources only: sysfs,generic,..." },
	[OPTION_PRESET]       = { 0,   "preset",       "stat|record", "set the fields of an attr that perf stat or perf record sets" },
	[OPTION_VENDOR]       = { 0,   "vendor",       "CPUID|auto", "use the imported events of that CPU; auto: of the machine's" },
	[OPTION_NO_OPEN]      = { 0,   "no-open",      NULL,       "do not open the events" },
	[OPTION_ALL_HOSTS]    = { 0,   "all-hosts",    "[=GLOB]",  "use every host of the database, or those that match GLOB" },
	[OPTION_LIMIT]        = { 0,   "limit",        "N",        "print at most N events (20)" },

	[OPTION_PID]          = { 'p', "pid",          "PID",      "open for that process or thread instead of this one" },
	[OPTION_CPU]          = { 'C', "cpu",          "CPUS",     "open on these CPUs (0-3,8), for all processes or that of -p" },
	[OPTION_CGROUP]       = { 'G', "cgroup",       "PATH",     "open for that cgroup: a path of /proc/PID/cgroup, or a directory" },
	[OPTION_COUNT]        = { 0,   "count",        "[=MS]",    "let each event count for MS milliseconds (100)" },
	[OPTION_RDPMC]        = { 0,   "rdpmc",        NULL,       "count, and read the counter in user space if permitted" },
	[OPTION_CHECK]        = { 0,   "check",        NULL,       "open every event, and store the results" },

	[OPTION_NAME]         = { 0,   "name",         "NAME",     "store under NAME" },
	[OPTION_WITH]         = { 0,   "with",         "EVENT",    "print only hosts on which the event string is valid" },
	[OPTION_HISTORY]      = { 0,   "history",      NULL,       "print a row for each snapshot, oldest first" },
	[OPTION_RENAME]       = { 0,   "rename",       "OLD",      "rename the host OLD: --rename OLD NEW" },
	[OPTION_BEFORE]       = { 0,   "before",       "DATE",     "remove what was last seen before DATE; 90d: 90 days ago" },
	[OPTION_KEEP]         = { 0,   "keep",         "N",        "keep the N newest snapshots of each host" },
	[OPTION_WEIGHT]       = { 0,   "weight",       "WEIGHT",   "print changes of WEIGHT or above: breaking, meaning, addition, ..." },
	[OPTION_LIBPFM4]      = { 0,   "libpfm4",      NULL,       "import the names of libpfm4, for search" },
	[OPTION_HOSTNAME]     = { 0,   "hostname",     "[=NAME]",  "keep the hostname, or replace it by NAME" },
};
// clang-format on

const enum option options_common[] = { OPTION_SYSROOT, OPTION_HOST, OPTION_DB,
				       OPTION_COLOR,   OPTION_HELP, OPTION_END };
const enum option options_global[] = { OPTION_VERSION, OPTION_VERBOSE, OPTION_END };

const struct option_row *option_row(enum option option)
{
	return option > OPTION_STOP && option < COUNT(rows) ? &rows[option] : NULL;
}

/* ------------------------------------------------------------------------------------- reading */

void options_begin(struct options *options, struct cli *cli, const struct command *command,
		   int argc, char **argv)
{
	*options = (struct options){
		.cli = cli,
		.command = command,
		.allowed = command->options,
		.words = argv + 1,
		.n_words = (size_t)argc - 1,
	};
}

void options_begin_global(struct options *options, struct cli *cli, int argc, char **argv)
{
	*options = (struct options){
		.cli = cli,
		.allowed = options_global,
		.words = argv + (argc > 0),
		.n_words = argc > 0 ? (size_t)argc - 1 : 0,
		.stops_at_operand = true,
	};
}

static const enum option *list_of(const struct options *options, size_t index)
{
	return index == 0 ? options->allowed : options_common;
}

/* By the letter or, if that is 0, by the name of n bytes. */
static enum option find_option(const struct options *options, char letter, struct pmuq_str name)
{
	for (size_t i = 0; i < 2; i++) {
		const enum option *option = list_of(options, i);

		for (; option && *option != OPTION_END; option++) {
			const struct option_row *row = &rows[*option];

			if (letter ? row->letter == letter : str_eq(str_of(row->name), name))
				return *option;
		}
	}
	return OPTION_END;
}

static const char *next_name(const void *of, size_t index)
{
	for (size_t i = 0; i < 2; i++) {
		const enum option *option = list_of(of, i);

		for (; option && *option != OPTION_END; option++)
			if (index-- == 0)
				return rows[*option].name;
	}
	return NULL;
}

static enum option stop(struct options *options, enum status status)
{
	options->status = status;
	return OPTION_STOP;
}

static enum option refuse_name(struct options *options, const char *word)
{
	const char *near = nearest(word + 2, next_name, options);

	if (near)
		return stop(options,
			    usage_error(options->command,
					"unknown option '%s'; did you mean '--%s'?", word, near));
	return stop(options, usage_error(options->command, "unknown option '%s'", word));
}

/* The word after the option as its argument. */
static enum option take_next(struct options *options, enum option option, const char *word)
{
	if (options->at == options->n_words)
		return stop(options,
			    usage_error(options->command, "option '%s' needs an argument", word));
	options->argument = options->words[options->at++];
	return option;
}

static enum option take_name(struct options *options, const char *word)
{
	const char *value = strchr(word, '=');
	struct pmuq_str name = { .p = word + 2, .n = (value ? value : strchr(word, 0)) - word - 2 };
	enum option option = find_option(options, 0, name);
	const char *argument;

	if (option == OPTION_END)
		return refuse_name(options, word);
	argument = rows[option].argument;
	if (value && !argument)
		return stop(options, usage_error(options->command,
						 "'%s': the option takes no argument", word));
	options->argument = value ? value + 1 : NULL;
	if (value || !argument || *argument == '[')
		return option;
	return take_next(options, option, word);
}

/* A word may hold several letters; the last may have its argument attached. */
static enum option take_letter(struct options *options)
{
	char letter = *options->letters++, word[] = { '-', letter, 0 };
	enum option option = find_option(options, letter, (struct pmuq_str){ 0 });
	const char *rest = *options->letters ? options->letters : NULL;

	options->argument = NULL;
	options->letters = rest;
	if (option == OPTION_END)
		return stop(options, usage_error(options->command, "unknown option '-%c'", letter));
	if (!rows[option].argument || *rows[option].argument == '[')
		return option;
	options->letters = NULL;
	options->argument = rest;
	return rest ? option : take_next(options, option, word);
}

/* The next option of the command line, be it common or not. */
static enum option read_option(struct options *options)
{
	while (!options->letters) {
		char *word;

		if (options->at == options->n_words)
			return OPTION_END;
		word = options->words[options->at];
		if (!options->has_no_options && word[0] == '-' && word[1]) {
			options->at++;
			options->has_no_options = strcmp(word, "--") == 0;
			if (options->has_no_options)
				continue;
			if (word[1] == '-')
				return take_name(options, word);
			options->letters = word + 1;
		} else if (options->stops_at_operand) {
			return OPTION_END;
		} else {
			options->words[options->n_operands++] = word;
			options->at++;
		}
	}
	return take_letter(options);
}

/* ------------------------------------------------------------------------------------- common */

static enum option take_color(struct options *options)
{
	if (terminal_set_color(options->argument))
		return OPTION_END;
	return stop(options,
		    usage_error(options->command, "--color is auto, always or never, not '%s'",
				options->argument));
}

static enum option take_help(struct options *options)
{
	if (!options->command)
		return OPTION_HELP;
	command_print_help(stdout, options->command);
	return stop(options, STATUS_OK);
}

/* OPTION_END: the option was one of these. */
static enum option take_common(struct options *options, enum option option)
{
	switch (option) {
	case OPTION_SYSROOT:
		options->cli->sysroot = options->argument;
		return OPTION_END;
	case OPTION_HOST:
		options->cli->host = options->argument;
		return OPTION_END;
	case OPTION_DB:
		options->cli->db = options->argument;
		return OPTION_END;
	case OPTION_COLOR:
		return take_color(options);
	case OPTION_HELP:
		return take_help(options);
	default:
		return option;
	}
}

static enum option take_form(struct options *options, enum option option)
{
	enum option before = options->form;

	options->form = option;
	if (before == OPTION_END || before == option)
		return option;
	return stop(options, usage_error(options->command, "--%s and --%s exclude each other",
					 rows[before].name, rows[option].name));
}

static enum option take_output(struct options *options, enum option option)
{
	struct output_choice *output = &options->output;

	switch (option) {
	case OPTION_JSON:
		output->form = DOCUMENT_JSON;
		return OPTION_END;
	case OPTION_JSONL:
		output->form = DOCUMENT_JSONL;
		return OPTION_END;
	case OPTION_YAML:
		output->form = DOCUMENT_YAML;
		return OPTION_END;
	case OPTION_RAW:
		output->is_raw = true;
		return OPTION_END;
	case OPTION_COLUMNS:
		output->columns = options->argument;
		return OPTION_END;
	case OPTION_LIST_COLUMNS:
		output->lists_columns = true;
		return OPTION_END;
	case OPTION_NOHEADINGS:
		output->has_no_headings = true;
		return OPTION_END;
	case OPTION_NO_PAGER:
		output->has_no_pager = true;
		return OPTION_END;
	default:
		return option;
	}
}

/* OPTION_END: it was handled here. */
static enum option handle(struct options *options, enum option option)
{
	if (option == OPTION_STOP)
		return option;
	option = take_common(options, option);
	if (rows[option].is_form)
		option = take_form(options, option);
	return option == OPTION_END || option == OPTION_STOP ? option
							     : take_output(options, option);
}

/* The operands, with a NULL after them. */
static void end_words(struct options *options)
{
	if (options->stops_at_operand) {
		options->words += options->at;
		options->n_operands = options->n_words - options->at;
	} else {
		options->words[options->n_operands] = NULL;
	}
}

enum option options_next(struct options *options)
{
	enum option option;

	do {
		option = read_option(options);
		if (option == OPTION_END) {
			end_words(options);
			return OPTION_END;
		}
		option = handle(options, option);
	} while (option == OPTION_END);
	return option;
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

/* Those that are forms, or those that are not, if there are any. */
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

const char *command_name(const struct command *command)
{
	return command ? command->name : "COMMAND";
}

void command_print_help(FILE *to, const struct command *command)
{
	fprintf(to, "pmuq %s: %s\n\nUsage: pmuq %s%s%s%s\n", command->name, command->summary,
		command->name, command->options ? " [OPTION...]" : "",
		command->arguments ? " " : "", command->arguments ? command->arguments : "");
	print_group(to, "Options", command->options, false);
	print_group(to, "Forms of the output (one of them)", command->options, true);
	print_group(to, "Options of every command (the default machine is this one)",
		    options_common, false);
	if (command->text)
		fprintf(to, "\n%s", command->text);
	fprintf(to, "\nManual: pmuq-%s(1)\n", command->name);
}

enum status usage_error(const struct command *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_line(REPORT_ERROR, format, args);
	va_end(args);
	fprintf(stderr, "Try `pmuq help%s%s`.\n", command ? " " : "", command ? command->name : "");
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
