/* SPDX-License-Identifier: MIT */
/*
 * `pmuq encode --all-hosts`: a list of strings against every kind of machine in the database. A
 * kind is asked after the other, and all strings of each; what comes of a string is written down
 * once for all kinds that say the same, so memory grows with what is different.
 */
#ifndef PQ_CLI_GATE_H
#define PQ_CLI_GATE_H

#include "cli/events/event_strings.h"
#include "cli/hosts/host_classes.h"
#include "cli/hosts/known_opens.h"

/* What some hosts of a kind said when what the string encodes to was opened. */
struct gate_opens {
	size_t check; /* PMUQ_NOT_KNOWN: those that were never checked */
	enum opens opens;
	const char *errno_name, *reason, *hint; /* of OPENS_NO; live in the gate */
	int errnum;
};

/* A kind of which the string has an outcome. */
struct gate_member {
	size_t kind;
	size_t first_opens, n_opens; /* of the string's */
};

/* What came of a string, for some kinds. */
struct gate_outcome {
	char *text; /* as the form has it */
	bool is_valid;
	const char *hint; /* of the error, where all kinds have the same; lives in the gate */
	struct gate_member *members;
	size_t n_members;
};

struct gate_string {
	char *input, *file; /* file: NULL on the command line */
	size_t line;
	struct gate_outcome *outcomes;
	struct gate_opens *opens;
	size_t n_outcomes, n_opens;
};

/* How many strings are what on a kind. */
struct gate_verdict {
	size_t n_valid, n_invalid;
	size_t n_opened, n_refused,
		n_unknown; /* of the valid ones; refused: on one host at least */
};

struct gate {
	const struct command *command;
	const struct cli *cli;
	const char *vendor; /* --vendor */
	struct pmuq_encode_options options;
	struct pmuq_hosts_filter filter;
	const char *glob;
	bool is_json, wants_opens;
	bool is_quiet; /* of strings with no fault nothing is told */
	struct fleet fleet;
	struct gate_string *strings;
	struct gate_verdict *verdicts; /* for each kind */
	char **texts;		       /* reasons and hints */
	size_t n_strings, n_texts;
	int status;
};

/* A string to be asked; false, and reported, when out of memory. */
bool gate_add(struct gate *gate, const char *text, const char *file, size_t line);
/* Asks and prints; answers a status. */
int gate_run(struct gate *gate);
void gate_clear(struct gate *gate);

/* What an answer is in a form, to be freed; NULL when out of memory. */
char *gate_text_of(const struct answer *answer);
char *gate_json_of(const struct answer *answer);
/* The whole of it; both answer a status. */
int gate_print_text(const struct gate *gate);
int gate_print_json(const struct gate *gate);

/* The names of the hosts of a kind that have a check (PMUQ_NOT_KNOWN: that have none) are added to
 * `names`, which has room; answers how many. */
size_t gate_hosts(const struct gate *gate, size_t kind, size_t check, const char **names);
size_t gate_all_hosts(const struct gate *gate, size_t kind, const char **names);
static inline bool gate_is_fine(const struct gate_verdict *verdict)
{
	return verdict->n_invalid == 0 && verdict->n_refused == 0;
}

#endif
