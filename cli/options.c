/* SPDX-License-Identifier: MIT */
#include "cli/options.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include <assert.h>
#include <stdarg.h>
#include <string.h>

enum {
	KEY_SYSROOT = OPTION_LONG + 1000,
	KEY_DB,
	KEY_HOST,
	KEY_COLOR,
};

/* The machine, and how answers look. */
static const struct option_row common_rows[] = {
	{ KEY_SYSROOT, "sysroot", "DIR|FILE", "a captured tree or tar, a document, a recording" },
	{ KEY_HOST, "host", "NAME[@SNAPSHOT]", "a machine from the database" },
	{ KEY_DB, "db", "FILE", "the database" },
	{ KEY_COLOR, "color", "WHEN", "auto (on a terminal), always, never" },
	{ 'h', "help", NULL, "this help" },
};

const struct option_row *options_common(size_t *ret_n)
{
	*ret_n = COUNT(common_rows);
	return common_rows;
}

static void add_rows(struct options *options, const struct option_row *rows, size_t n_rows)
{
	size_t n_longs = 0, n_shorts = strlen(options->shorts);

	while (options->longs[n_longs].name)
		n_longs++;
	assert(n_longs + n_rows <= OPTIONS_MAX);
	for (size_t i = 0; i < n_rows; i++) {
		bool takes = rows[i].argument != NULL;

		options->longs[n_longs + i] = (struct option){
			.name = rows[i].name,
			.has_arg = !takes		      ? no_argument
				   : *rows[i].argument == '[' ? optional_argument
							      : required_argument,
			.val = rows[i].key,
		};
		if (rows[i].key >= OPTION_LONG)
			continue;
		options->shorts[n_shorts++] = (char)rows[i].key;
		if (takes)
			options->shorts[n_shorts++] = ':';
	}
}

static void begin(struct options *options, const char *shorts)
{
	snprintf(options->shorts, sizeof(options->shorts), "%s", shorts);
	add_rows(options, options->rows, options->n_rows);
	add_rows(options, common_rows, COUNT(common_rows));
	opterr = 0;
	optind = 0;
}

void options_begin(struct options *options, struct cli *cli, const struct command *command,
		   int argc, char **argv)
{
	*options = (struct options){
		.cli = cli,
		.command = command,
		.rows = command->options,
		.n_rows = command->n_options,
		.argc = argc,
		.argv = argv,
	};
	begin(options, ":");
}

void options_begin_global(struct options *options, struct cli *cli, const struct option_row *rows,
			  size_t n_rows, int argc, char **argv)
{
	*options = (struct options){
		.cli = cli,
		.rows = rows,
		.n_rows = n_rows,
		.argc = argc,
		.argv = argv,
	};
	begin(options, "+:");
}

static const char *next_option(const void *of, size_t index)
{
	const struct options *options = of;

	return options->longs[index].name;
}

/* What getopt_long() did not like: it leaves a long option behind it, a short one in optopt. */
static int refuse(struct options *options)
{
	const char *word = options->argv[optind - 1];
	const char *near;

	if (optopt > 0 && optopt < OPTION_LONG && strncmp(word, "--", 2) != 0)
		return usage_error(options->command, "unknown option '-%c'", optopt);
	if (optopt)
		return usage_error(options->command, "'%s': the option takes no argument", word);
	near = nearest(word + strspn(word, "-"), next_option, options);
	if (near)
		return usage_error(options->command, "unknown option '%s'; did you mean '--%s'?",
				   word, near);
	return usage_error(options->command, "unknown option '%s'", word);
}

/* False: it is none of these, or its argument is wrong. */
static bool take_common(struct options *options, int key)
{
	switch (key) {
	case KEY_SYSROOT:
		options->cli->sysroot = optarg;
		return true;
	case KEY_DB:
		options->cli->db = optarg;
		return true;
	case KEY_HOST:
		options->cli->host = optarg;
		return true;
	case KEY_COLOR:
		return terminal_set_color(optarg);
	default:
		return false;
	}
}

int options_next(struct options *options)
{
	int key;

	do
		key = getopt_long(options->argc, options->argv, options->shorts, options->longs,
				  NULL);
	while (take_common(options, key));
	switch (key) {
	case KEY_COLOR:
		options->status = usage_error(options->command,
					      "--color is auto, always or never, not '%s'", optarg);
		return OPTIONS_STOP;
	case 'h':
		if (!options->command)
			return key;
		command_print_help(stdout, options->command);
		options->status = STATUS_OK;
		return OPTIONS_STOP;
	case '?':
		options->status = refuse(options);
		return OPTIONS_STOP;
	case ':':
		options->status = usage_error(options->command, "option '%s' wants an argument",
					      options->argv[optind - 1]);
		return OPTIONS_STOP;
	default:
		return key;
	}
}

/* Where the help of an option begins; a longer option has it on a line of its own. */
#define HELP_COLUMN 28

void options_print_rows(FILE *to, const struct option_row *rows, size_t n_rows)
{
	for (size_t i = 0; i < n_rows; i++) {
		const struct option_row *row = &rows[i];
		char letter[] = { '-', (char)row->key, ',', ' ', 0 };
		bool has_blank = row->argument && *row->argument != '[';
		int width = fprintf(to, "  %s--%s%s%s", row->key < OPTION_LONG ? letter : "    ",
				    row->name, has_blank ? " " : "",
				    row->argument ? row->argument : "");

		if (width >= HELP_COLUMN)
			width = fprintf(to, "\n") - 1;
		fprintf(to, "%*s%s\n", HELP_COLUMN - width, "", row->help);
	}
}

void options_print_common(FILE *to)
{
	options_print_rows(to, common_rows, COUNT(common_rows));
}

void command_print_help(FILE *to, const struct command *command)
{
	fprintf(to, "pmuq %s: %s\n\nUsage: pmuq %s%s%s%s\n", command->name, command->summary,
		command->name, command->n_options ? " [OPTION...]" : "",
		command->arguments ? " " : "", command->arguments ? command->arguments : "");
	if (command->n_options) {
		fprintf(to, "\nOptions:\n");
		options_print_rows(to, command->options, command->n_options);
	}
	fprintf(to, "\nFor every command (the machine is this one by default):\n");
	options_print_common(to);
	if (command->text)
		fprintf(to, "\n%s", command->text);
	fprintf(to, "\nManual: pmuq-%s(1)\n", command->name);
}

int usage_error(const struct command *command, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_line(REPORT_ERROR, format, args);
	va_end(args);
	fprintf(stderr, "`pmuq %s%s` shows what there is.\n", command ? "help " : "help",
		command ? command->name : "");
	return STATUS_USAGE;
}

/* ------------------------------------------------------------------------- nearest spelling */

/* Words longer than this are no misspelt names. */
#define WORD_BYTES_MAX 64

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edits (insert, delete, replace, swap neighbours) between two words of at most WORD_BYTES_MAX
 * bytes. */
static size_t distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	size_t rows[3][WORD_BYTES_MAX + 1];

	for (size_t j = 0; j <= n_b; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n_a; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i - 1) % 3], *swapped = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= n_b; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]),
				       least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], swapped[j - 2] + 1);
		}
	}
	return rows[n_a % 3][n_b];
}

const char *nearest(const char *word, const char *(*next)(const void *of, size_t index),
		    const void *of)
{
	size_t n_word = strlen(word), best = n_word / 3 + 2;
	const char *found = NULL, *name;

	if (n_word == 0 || n_word > WORD_BYTES_MAX)
		return NULL;
	for (size_t i = 0; (name = next(of, i)); i++) {
		size_t n_name = strlen(name), edits;

		if (n_name > WORD_BYTES_MAX)
			continue;
		edits = distance(word, n_word, name, n_name);
		if (n_name > n_word && strncmp(word, name, n_word) == 0)
			edits = 1;
		if (edits >= best)
			continue;
		best = edits;
		found = name;
	}
	return found;
}
