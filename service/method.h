/* SPDX-License-Identifier: MIT */
/*
 * The methods of io.pmuq. Most run a command of pmuq, whose options and operands are the
 * parameters: the reply is the document that the command prints with --json. From this description
 * come the words of the command line (words.h) and the interface file (interface.h).
 */
#pragma once

#include "cli/cmd.h"

/* A parameter that becomes one operand, after a prefix: {"generation": 3} is "generation:3". */
struct method_word {
	const char *name, *prefix, *help;
	bool is_number;
	const char *fallback;		    /* without the parameter; NULL: no operand */
	bool (*is_known)(const char *text); /* NULL: any text */
};

enum method_task {
	METHOD_RUNS, /* a command */
	METHOD_GET_INFO,
	METHOD_SUBSCRIBE,
};

struct method {
	const char *name;
	const char *help; /* sentences, for the interface file */
	enum method_task task;
	const struct command *command;
	const struct method_word *words; /* one of them, up to one without a name; NULL: none */
	const char *operands;		 /* a list of texts; NULL: none */
	bool needs_operands;		 /* one at least, or a word */
	size_t operands_max;		 /* 0: no limit */
	const enum option *options;	 /* that are parameters, up to OPTION_END; NULL: none */
	/* The document is a member, which this text begins: '{"document": '; or NULL. */
	const char *before;
	const char *fixed[2];		      /* options that are always set; NULL: none */
	const struct document_type *document; /* of the reply; NULL: the first of the command */
	/* The reply has what nothing announces: it is read again if it is not new. */
	bool refreshes;
};

/* Up to one without a name. */
extern const struct method methods[];
const struct method *method_find(struct pmuq_str name);
