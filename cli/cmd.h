/* SPDX-License-Identifier: MIT */
/* What a command is, and which machine the command line names. */
#ifndef PQ_CLI_CMD_H
#define PQ_CLI_CMD_H

#include "cli/cli_base.h"
#include "cli/output/choice.h"
#include "cli/status.h"

/* The machine that the command line names; texts live in argv. */
struct cli {
	const char *sysroot;
	const char *db;
	const char *host;
};

/* Their letters, names and meanings are in options.c, in this order. */
enum option {
	OPTION_END, /* ends a list of options */

	/* The machine and the help: of every command. */
	OPTION_SYSROOT,
	OPTION_HOST,
	OPTION_DB,
	OPTION_COLOR,
	OPTION_HELP,
	OPTION_VERSION,
	OPTION_VERBOSE,

	/* The output. */
	OPTION_JSON,
	OPTION_JSONL,
	OPTION_YAML,
	OPTION_COLUMNS,
	OPTION_LIST_COLUMNS,
	OPTION_RAW,
	OPTION_NOHEADINGS,
	OPTION_NO_PAGER,
	OPTION_ALL,
	OPTION_FOLD,
	OPTION_C,
	OPTION_HEX,
	OPTION_BYTES,
	OPTION_OUTPUT,
	OPTION_BRIEF,
	OPTION_STAT,
	OPTION_DRY_RUN,

	/* Event strings and attrs. */
	OPTION_FILE,
	OPTION_DIALECT,
	OPTION_STRICT,
	OPTION_FROM,
	OPTION_PRESET,
	OPTION_VENDOR,
	OPTION_NO_OPEN,
	OPTION_ALL_HOSTS,
	OPTION_LIMIT,

	/* The kernel. */
	OPTION_PID,
	OPTION_CPU,
	OPTION_CGROUP,
	OPTION_COUNT,
	OPTION_RDPMC,
	OPTION_CHECK,

	/* The database. */
	OPTION_NAME,
	OPTION_WITH,
	OPTION_HISTORY,
	OPTION_RENAME,
	OPTION_BEFORE,
	OPTION_KEEP,
	OPTION_WEIGHT,
	OPTION_LIBPFM4,
	OPTION_HOSTNAME,
};

/* For the list of a command: what all that print facts take, and what tables take besides. */
#define OPTIONS_DOCUMENT OPTION_JSON, OPTION_JSONL, OPTION_YAML
#define OPTIONS_TABLE                                                                              \
	OPTION_COLUMNS, OPTION_LIST_COLUMNS, OPTION_RAW, OPTION_NOHEADINGS, OPTION_NO_PAGER

struct options;

/*
 * A command is one file and a line in commands.list. main.c reads the options, checks what is
 * written here, prints help and columns, and then calls run().
 */
struct command {
	const char *name;
	const char *arguments; /* after the options in the usage line; NULL: it takes none */
	const char *needs;     /* the operand that must be there, for the error; NULL: none */
	size_t n_most;	       /* operands; 0: any number of them */
	/* Why it does not take --host or --sysroot, for the error; NULL: it does. */
	const char *no_host, *no_sysroot;
	const char *summary;	    /* one line */
	const char *text;	    /* below the options in the help, or NULL */
	const enum option *options; /* besides those of every command, up to OPTION_END; or NULL */
	const struct document_type *const *documents; /* of --json, up to NULL; or NULL */
	enum status (*run)(const struct options *options);
};

/* In the order of the help. */
extern const struct command *const commands[];
extern const size_t commands_count;
const struct command *command_find(const char *name);
/* The help of the whole. */
void print_overview(FILE *to);

#define COMMAND(name) extern const struct command cmd_##name;
#include "cli/command_list.h"
#undef COMMAND

#endif
