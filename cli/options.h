/* SPDX-License-Identifier: MIT */
/*
 * The options of all commands in one table: each has one letter, one name and one meaning, and a
 * command lists those it takes. The help, the completion and the tests read the same table. Long
 * options cannot be abbreviated. The options of every command, and those of the output, are handled
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
	bool is_form;	/* selects the form of the output: at most one per command line */
	bool is_choice; /* the argument is one of the words in `argument` */
	int32_t most;	/* the argument is a number from 1 to this; 0: a text */
};

/* The option with that letter or, if the letter is 0, that name: one of the list or of every
 * command. OPTION_END if there is no such option. */
enum option options_find(const enum option *list, char letter, struct pmuq_str name);

/* The row of an option; NULL after the last, for a loop from OPTION_END + 1 on. */
const struct option_row *option_row(enum option option);

struct taken_option {
	enum option option;
	const char *argument; /* NULL: none */
};

/* The result of reading a command line. The arguments of options have the values that their rows
 * allow. */
struct options {
	struct cli cli;
	const struct command *command; /* NULL before the command */
	char **operands;	       /* up to NULL; live in argv */
	size_t n_operands;
	PQ_VEC(struct taken_option) taken; /* in their order, including those before the command */
	enum option form;		   /* the option that selected the form of the output */
	struct output_choice output;	   /* what the options of the output select */
	bool wants_help;     /* the rest of the line was not read, because help was requested */
	bool is_incomplete;  /* still being typed: mistakes and --help do not end the reading */
	bool has_no_options; /* after -- */
	enum option wanting; /* the option without its argument at the end, or OPTION_END */
};

/*
 * Reads words of the command line: the options of `command` and of every command, and its operands.
 * If `command` is NULL, reads the options before the command, up to the first word that is not an
 * option; the operands begin at that word. May be called twice, for both. Overwrites `words[n]`.
 * Reports a mistake; returns STATUS_OK if there is none.
 */
enum status options_read(struct options *options, const struct command *command, size_t n,
			 char **words);
void options_clear(struct options *options);

bool option_is_set(const struct options *options, enum option option);
/* The argument of the last occurrence of the option; NULL: none. */
const char *option_value(const struct options *options, enum option option);
/* The index of the argument among the option's choices, from 1; 0: none. */
unsigned option_choice(const struct options *options, enum option option);
/* The argument as a number; `otherwise` if the option is not set. */
int32_t option_number(const struct options *options, enum option option, int32_t otherwise);

/* Options before a command, up to OPTION_END, and those of every command. */
extern const enum option options_global[], options_common[];

void options_print(FILE *to, const enum option *options);
void command_print_help(FILE *to, const struct command *command);

/* Reports a mistake on the command line and names the help to read: that of the command whose
 * options were read last. Returns STATUS_USAGE. */
enum status usage_error(const char *format, ...) PQ_PRINTF(1, 2);

/* The name nearest to `word` by edits, or NULL if none is near. `next` returns the n-th name, NULL
 * at the end. */
const char *nearest(const char *word, const char *(*next)(const void *of, size_t index),
		    const void *of);
