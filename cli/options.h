/* SPDX-License-Identifier: MIT */
/*
 * The options of all commands in one table: each has one letter, one name and one meaning, and a
 * command lists those it takes. The help, the completion and the tests read the same table. Long
 * options are not abbreviated. Those that every command takes, and those of the output, are taken
 * here.
 */
#pragma once

#include "cli/cmd.h"
#include "core/vec.h"

struct option_row {
	char letter;	      /* 0: none */
	const char *name;     /* without the dashes */
	const char *argument; /* as the help calls it; NULL: none; "[=X]": optional */
	const char *help;
	bool is_form;	/* of the output: a command line has one at most */
	bool is_choice; /* the argument is one of the words in `argument` */
	int32_t most;	/* the argument is a number from 1 to that; 0: a text */
};

/* The option of that letter or, if it is 0, of that name: one of the list or of every command.
 * OPTION_END if there is no such option. */
enum option options_find(const enum option *list, char letter, struct pmuq_str name);

/* The row of an option; NULL past the last, if it is counted up from OPTION_END + 1. */
const struct option_row *option_row(enum option option);

struct taken_option {
	enum option option;
	const char *argument; /* NULL: none */
};

/* A command line that was read. The arguments of options are what their rows allow. */
struct options {
	struct cli cli;
	const struct command *command; /* NULL before the command */
	char **operands;	       /* up to NULL; live in argv */
	size_t n_operands;
	PQ_VEC(struct taken_option) taken; /* in their order; of those before the command, too */
	enum option form;		   /* the one that chose the form of the output */
	struct output_choice output;	   /* what the options of the output select */
	bool wants_help;		   /* the rest of the line was not read */
	bool is_incomplete;  /* it is being typed: mistakes and --help do not end the reading */
	bool has_no_options; /* after -- */
	enum option wanting; /* that lacks its argument at the end, or OPTION_END */
};

/*
 * Reads words of the command line: the options of `command` and of every command, and its operands.
 * With NULL those before the command, up to the first word that is not an option; the operands are
 * the words from there on. May be called twice, for both. `words[n]` is overwritten. A mistake is
 * reported; STATUS_OK without one.
 */
enum status options_read(struct options *options, const struct command *command, size_t n,
			 char **words);
void options_clear(struct options *options);

bool option_is_set(const struct options *options, enum option option);
/* The argument of the last that was given; NULL: none. */
const char *option_value(const struct options *options, enum option option);
/* Whether that is the word. */
bool option_is(const struct options *options, enum option option, const char *word);
/* The same as a number, `otherwise` without one. */
int32_t option_number(const struct options *options, enum option option, int32_t otherwise);

/* Options before a command, up to OPTION_END, and those of every command. */
extern const enum option options_global[], options_common[];

void options_print(FILE *to, const enum option *options);
void command_print_help(FILE *to, const struct command *command);

/* A mistake on the command line, with the help to read: that of the command whose options were read
 * last. Returns STATUS_USAGE. */
enum status usage_error(const char *format, ...) PQ_PRINTF(1, 2);

/* The name nearest to `word` by edits, or NULL if none is near. `next` returns the n-th, NULL at
 * the end. */
const char *nearest(const char *word, const char *(*next)(const void *of, size_t index),
		    const void *of);
