/* SPDX-License-Identifier: MIT */
/* Commands about event strings: the options that all of them take, and the strings of the command
 * line and of files, each encoded as it comes. What is done with a result is the command's. */
#pragma once

#include "cli/events/encode_output.h"
#include "cli/options.h"

/* For the options of a command. */
#define OPTIONS_EVENTS                                                                             \
	OPTION_DIALECT, OPTION_STRICT, OPTION_FROM, OPTION_PRESET, OPTION_VENDOR, OPTION_FILE

/* For the help of a command. */
#define STRINGS_TEXT                                                                               \
	"Sources of names: format, sysfs, generic, raw, breakpoint, tracepoint, probe, json, "     \
	"pfm.\n"                                                                                   \
	"In a FILE, blank lines and comments after # are skipped. Every string is encoded.\n"

/*
 * A command about event strings, which puts this first in a struct of its own. What it does not
 * set is done as in `explain`: results are printed as they come.
 */
struct strings {
	const struct options *line; /* the command line */
	struct pmuq_source *source;
	struct pmuq_encode_options options;
	struct encode_output output;
	enum status status; /* the worst so far */
	/* Before the first string, and after the last. */
	enum status (*begin)(struct strings *strings);
	enum status (*end)(struct strings *strings);
	/* Takes over each string, and no machine is opened. NULL: they are encoded as they come. */
	void (*gather)(struct strings *strings, const char *text, const char *file, size_t line);
	/* Encodings or an error: what came of a string. */
	void (*print)(struct strings *strings, struct result *result);
};

/* The values of --from, 0 without it, and of --dialect. */
enum status strings_take_from(const struct options *options, unsigned *ret);
enum pmuq_dialect strings_dialect(const struct options *options);

/* The whole command. */
enum status strings_run(struct strings *strings, const struct options *options);
/* Makes the result the error, which must outlive it, and notes its status. */
void strings_refuse(struct strings *strings, struct result *result, const struct pmuq_error *error);
