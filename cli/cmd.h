/* SPDX-License-Identifier: MIT */
/*
 * What a command is, what main() found out for it, and the numbers that it may exit with.
 */
#ifndef PQ_CLI_CMD_H
#define PQ_CLI_CMD_H

#include "cli/cli_base.h"

enum status {
	STATUS_OK = 0,
	STATUS_INVALID = 1, /* an event is invalid, or something asked for does not exist */
	STATUS_USAGE = 2,
	STATUS_REFUSED = 3,	  /* valid, but the kernel refused the open */
	STATUS_FAILED = 4,	  /* input or storage failed */
	STATUS_INTERRUPTED = 130, /* by Ctrl-C, and what there was is done with */
};

/* Of many answers, the highest counts. */
static inline int status_worse(int a, int b)
{
	return a > b ? a : b;
}

/* The machine that the command line names; texts live in argv. */
struct cli {
	const char *sysroot;
	const char *db;
	const char *host; /* NAME or NAME@SNAPSHOT */
};

struct option_row {
	int key;	      /* the letter, or from OPTION_LONG up where there is none */
	const char *name;     /* without the dashes */
	const char *argument; /* how the help calls it; NULL when it takes none; "[=X]": may */
	const char *help;
};

#define OPTION_LONG 256

struct command {
	const char *name;
	const char *arguments; /* behind the options in the usage line */
	const char *summary;   /* one line */
	const char *text;      /* what stands below the options in the long help, or NULL */
	const struct option_row *options;
	size_t n_options;
	int (*run)(struct cli *cli, const struct command *command, int argc, char **argv);
};

/* In the order of the help. */
extern const struct command *const commands[];
extern const size_t commands_count;
const struct command *command_find(const char *name);
/* The options in front of a command. */
const struct option_row *global_options(size_t *ret_n);
/* The help of the whole. */
void print_overview(FILE *to);

extern const struct command cmd_scan, cmd_list, cmd_show, cmd_encode, cmd_check, cmd_explain,
	cmd_decode, cmd_capture, cmd_vendor, cmd_search, cmd_help, cmd_hosts, cmd_diff, cmd_forget,
	cmd_export, cmd_import, cmd_complete;

#endif
