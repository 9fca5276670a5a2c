/* SPDX-License-Identifier: MIT */
/* Commands that process event strings: the options that all of them take, and the strings of the
 * command line and of files, each encoded when it is read. The command handles the results. */
#pragma once

#include "cli/events/encode_output.h"
#include "cli/metrics/metric_results.h"
#include "cli/options.h"

/* For the options of a command. */
#define OPTIONS_EVENTS                                                                             \
	OPTION_DIALECT, OPTION_STRICT, OPTION_AS_WRITTEN, OPTION_FROM, OPTION_PRESET,              \
		OPTION_PRIVILEGE, OPTION_ANY_CPU, OPTION_VENDOR, OPTION_METRIC,                    \
		OPTION_SYSTEM_WIDE, OPTION_NO_THRESHOLDS, OPTION_NO_GROUPS, OPTION_NO_SHARING,     \
		OPTION_FILE

/* For the help of a command. */
#define STRINGS_TEXT                                                                               \
	"Sources of names: format, sysfs, generic, raw, breakpoint, tracepoint, probe, json, "     \
	"pfm.\n"                                                                                   \
	"In a FILE, blank lines and comments after # are skipped. Every string is encoded.\n"

/*
 * A command that processes event strings puts this first in a struct of its own. Members that are
 * NULL have the behaviour of `explain`: results are printed immediately.
 */
struct strings {
	const struct options *line; /* the command line */
	struct pmuq_source *source;
	struct pmuq_encode_options options;
	struct encode_output output;
	struct planned planned;	       /* the metrics of --metric; no plan without it */
	struct metric_results metrics; /* the same, and what is known of them */
	enum status status;	       /* the worst so far */
	bool encodes_ahead;	       /* set by begin() if print() does not use the source */
	/* Before the first string, and after the last. */
	enum status (*begin)(struct strings *strings);
	enum status (*end)(struct strings *strings);
	/* Take each string, and the names of a --metric, without opening a machine. NULL: strings
	 * are encoded when they are read. */
	void (*gather)(struct strings *strings, const char *text, const char *file, size_t line);
	void (*gather_metrics)(struct strings *strings, const char *names,
			       const struct pmuq_metric_options *options);
	/* The result of a string: encodings or an error. */
	void (*print)(struct strings *strings, struct result *result);
};

/* The values of --from, 0 without it, and of --dialect. */
enum status strings_take_from(const struct options *options, unsigned *ret);
/* The same if only some sources may be named. `ret_all`: whether "all" was, which then means all of
 * them; NULL: it is not accepted. */
#define STRINGS_ALL_SOURCES "all"
enum status strings_take_sources(const struct options *options, unsigned allowed, bool *ret_all,
				 unsigned *ret);
enum pmuq_dialect strings_dialect(const struct options *options);

/* Runs the whole command. */
enum status strings_run(struct strings *strings, const struct options *options);
/* The result becomes this error, which must outlive it; the status of the run includes it. */
void strings_refuse(struct strings *strings, struct result *result, const struct pmuq_error *error);
