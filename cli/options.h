/* SPDX-License-Identifier: MIT */
/*
 * The options of all commands in one table: each has one letter, one name and one meaning, and a
 * command lists those it takes. The help, the completion and the tests read the same table. Long
 * options are not abbreviated. Those that every command takes, and those of the output, are handled
 * here.
 */
#ifndef PQ_CLI_OPTIONS_H
#define PQ_CLI_OPTIONS_H

#include "cli/cmd.h"

struct option_row {
	char letter;	      /* 0: none */
	const char *name;     /* without the dashes */
	const char *argument; /* as the help calls it; NULL: none; "[=X]": optional */
	const char *help;
	bool is_form; /* of the output: a command line has one at most */
};

/* The row of an option; NULL past the last, if it is counted up from OPTION_STOP + 1. */
const struct option_row *option_row(enum option option);

struct options {
	struct cli *cli;
	const struct command *command; /* NULL before the command */
	const enum option *allowed;    /* besides the common ones; up to OPTION_END */
	char **words;		       /* the command line; at its beginning the operands */
	size_t n_words, at, n_operands;
	const char *letters;  /* the rest of a word of letters, or NULL */
	const char *argument; /* of the option that options_next() returned, or NULL */
	bool stops_at_operand, has_no_options;
	enum option form;	     /* the one that chose the form of the output */
	struct output_choice output; /* what the options of the output ask for */
	enum status status;	     /* with OPTION_STOP */
};

/* `argv[0]` is skipped; the words are reordered. */
void options_begin(struct options *options, struct cli *cli, const struct command *command,
		   int argc, char **argv);
/* Those before the command end at the first word that is not an option. */
void options_begin_global(struct options *options, struct cli *cli, int argc, char **argv);
/* The next option that is not handled here; OPTION_END after the last: words[0] up to n_operands,
 * and a NULL, are what is not an option. OPTION_STOP: help was printed or a mistake reported. */
enum option options_next(struct options *options);
/* Options before a command, up to OPTION_END, and those of every command. */
extern const enum option options_global[], options_common[];

void options_print(FILE *to, const enum option *options);
void command_print_help(FILE *to, const struct command *command);
/* NULL: "COMMAND". */
const char *command_name(const struct command *command);

/* A mistake on the command line; `command` may be NULL. Returns STATUS_USAGE. */
enum status usage_error(const struct command *command, const char *format, ...) PQ_PRINTF(2, 3);

/* The name nearest to `word` by edits, or NULL if none is near. `next` returns the n-th, NULL at
 * the end. */
const char *nearest(const char *word, const char *(*next)(const void *of, size_t index),
		    const void *of);

#endif
