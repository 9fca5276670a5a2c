/* SPDX-License-Identifier: MIT */
/*
 * Options from a table: the same rows drive getopt_long(3) and the help. The options that choose a
 * machine, and --help, are understood everywhere and answered here.
 */
#ifndef PQ_CLI_OPTIONS_H
#define PQ_CLI_OPTIONS_H

#include "cli/cmd.h"
#include <getopt.h>

#define OPTIONS_MAX 32

enum {
	OPTIONS_END = -1, /* what is left stands at optind */
	OPTIONS_STOP = 0, /* a help was printed or a mistake reported: return `status` */
};

struct options {
	struct cli *cli;
	const struct command *command; /* NULL in front of the command */
	const struct option_row *rows;
	size_t n_rows;
	int argc;
	char **argv;
	int status;
	struct option longs[OPTIONS_MAX + 1];
	char shorts[2 * OPTIONS_MAX + 3];
};

/* `argv[0]` is passed over. */
void options_begin(struct options *options, struct cli *cli, const struct command *command,
		   int argc, char **argv);
/* The options before the command: rows of main() instead of a command's. */
void options_begin_global(struct options *options, struct cli *cli, const struct option_row *rows,
			  size_t n_rows, int argc, char **argv);
/* The key of the next option, its argument in optarg; or one of the two above. */
int options_next(struct options *options);

void options_print_rows(FILE *to, const struct option_row *rows, size_t n_rows);
void options_print_common(FILE *to);
/* Those that every command takes. */
const struct option_row *options_common(size_t *ret_n);
void command_print_help(FILE *to, const struct command *command);

/* Complaints about the command line; all answer STATUS_USAGE. */
int usage_error(const struct command *command, const char *format, ...) PQ_PRINTF(2, 3);

/* The name nearest to `word` by edits, or NULL when none is near. `next` gives the n-th, NULL at
 * the end. */
const char *nearest(const char *word, const char *(*next)(const void *of, size_t index),
		    const void *of);

#endif
