/* SPDX-License-Identifier: MIT */
/* What a command is, and which machine the command line names. */
#pragma once

#include "cli/option_list.h"
#include "cli/output/document.h"
#include "cli/status.h"
#include "core/freep.h"
#include <stdio.h>

/* The machine that the command line names; texts live in argv. */
struct cli {
	const char *sysroot;
	const char *db;
	const char *host;
	const char *via;
};

/* "host", "sysroot" or "via": the option that names a machine; NULL: none. */
const char *cli_machine_option(const struct cli *cli);

/* One for each row of the list. */
enum option {
	OPTION_END, /* ends a list of options */
#define ROW(id, ...) OPTION_##id,
	OPTIONS(ROW)
#undef ROW
};

/* For the list of a command: the options of all commands that print facts, and those of tables. */
#define OPTIONS_DOCUMENT OPTION_JSON, OPTION_JSONL, OPTION_YAML
#define OPTIONS_TABLE                                                                              \
	OPTION_COLUMNS, OPTION_LIST_COLUMNS, OPTION_RAW, OPTION_NOHEADINGS, OPTION_NO_PAGER

struct options;

/* Values of the members `options` and `documents` of a command. */
#define OPTION_LIST(...)                                                                           \
	(const enum option[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, OPTION_END                                                            \
	}
#define DOCUMENT_LIST(...)                                                                         \
	(const struct document_type *const[])                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

/*
 * A command is one file and a line in commands.list. main.c reads the options, checks them against
 * this description, prints help and columns, and then calls run().
 */
struct command {
	const char *name;
	bool is_program;       /* not a command of pmuq */
	const char *arguments; /* in the usage line; NULL: it takes no operands */
	const char *needs;     /* the required operand, for the error; NULL: none is required */
	size_t n_most;	       /* maximum number of operands; 0: no limit */
	/* Why the command does not take --host, or --sysroot and --via, for the error; NULL: it
	 * takes them. */
	const char *no_host, *no_sysroot;
	const char *summary;			      /* one line */
	const char *text;			      /* below the options in the help, or NULL */
	const enum option *options;		      /* its own, up to OPTION_END; or NULL */
	const struct document_type *const *documents; /* documents of --json, up to NULL; or NULL */
	enum status (*run)(const struct options *options);
};

/* In the order of the help. */
extern const struct command *const commands[];
extern const size_t commands_count;
const struct command *command_find(const char *name);
/* The help that lists all commands. */
void print_overview(FILE *to);

#define COMMAND(name) extern const struct command cmd_##name;
#include "cli/command_list.h"
#undef COMMAND
