/* SPDX-License-Identifier: MIT */
/*
 * Commands about event strings: the options that all of them take, the strings of the command line
 * and of files, each asked of the machine as it comes. What is done with an answer is the
 * command's.
 */
#ifndef PQ_CLI_ASK_H
#define PQ_CLI_ASK_H

#include "cli/events/encode_output.h"
#include "cli/options.h"

enum {
	ASK_DIALECT = OPTION_LONG,
	ASK_STRICT,
	ASK_FROM,
	ASK_PRESET,
	ASK_VENDOR,
	ASK_OWN, /* the command's own keys begin here */
};

/* For the table of a command's options. */
// clang-format off
#define ASK_OPTIONS \
	{ ASK_DIALECT, "dialect", "pmuq|perf", "whose rules; perf: as its own parser has it" }, \
	{ ASK_STRICT, "strict", NULL, "a warning is an error" }, \
	{ ASK_FROM, "from", "LIST", "where names may come from: format, sysfs, generic, ..." }, \
	{ ASK_PRESET, "preset", "stat|record", "with what perf stat or perf record adds to an attr" }, \
	{ ASK_VENDOR, "vendor", "CPUID|auto", "names of the CPU's tables in the database; auto: of this CPU" }, \
	{ 'f', "file", "FILE", "strings from FILE, one a line; - is stdin" }
// clang-format on

/* For the text of a command's help. */
#define ASK_TEXT                                                                                   \
	"Sources of names: format, sysfs, generic, raw, breakpoint, tracepoint, probe, json, "     \
	"pfm.\n"                                                                                   \
	"In a FILE, blank lines and comments behind # are passed over. Every string is "           \
	"answered;\n"

struct ask {
	const struct command *command;
	struct pmuq_source *source;
	struct pmuq_encode_options options;
	const char *vendor; /* --vendor */
	int status;	    /* the worst so far */
	bool has_files;	    /* -f was given */
	/* A key of the command's own; answers a status, and other than STATUS_OK all is over. */
	int (*take)(struct ask *ask, int key);
	/* Before the first string, and after the last; both answer a status. */
	int (*begin)(struct ask *ask);
	int (*end)(struct ask *ask);
	/* Where strings are only gathered, and no machine is asked: takes them over. NULL: they are
	 * asked as they come. */
	void (*gather)(struct ask *ask, const char *text, const char *file, size_t line);
	/* Encodings or an error: what came of a string. */
	void (*answer)(struct ask *ask, struct answer *answer);
};

/* The values of --from and --dialect; both answer a status. */
int ask_take_from(const struct command *command, const char *names, unsigned *ret);
int ask_take_dialect(const struct command *command, const char *name, enum pmuq_dialect *ret);

/* The whole command: answers its exit status. */
int ask_run(struct ask *ask, struct cli *cli, int argc, char **argv);
/* Makes the answer the refusal that the error is, and notes its status. */
void ask_refuse(struct ask *ask, struct answer *answer, struct diagnosis error);

#endif
