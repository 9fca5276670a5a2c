/* SPDX-License-Identifier: MIT */
/*
 * What may stand where the cursor is: a command line as far as it is understood, and the words that
 * would go on with it. Knows no shell; whatever goes wrong, there are just fewer words.
 */
#ifndef PQ_CLI_COMPLETE_H
#define PQ_CLI_COMPLETE_H

#include "cli/cmd.h"

struct candidate {
	char *text;
	char *about;	  /* what it is, or NULL */
	const char *open; /* one of these must follow; NULL: nothing needs to */
};

struct completion {
	struct cli cli; /* as the line has it so far */
	const char *vendor;
	const struct command *command; /* NULL: it is still to come */
	char **words;		       /* the command's, without options */
	size_t n_words;
	const char *word; /* up to the cursor; behind the "=" of "--option=" */
	size_t n_before;  /* bytes of the shell's word in front of that */
	struct pmuq_source *source;
	bool has_no_source;
	struct candidate *at;
	size_t n, size;
};

/* Reads the line; the last word is the one to complete. */
void complete_line(struct completion *completion, char **words, size_t n);
/* Of the usage of a command, the word that comes next; and what an option wants. */
void complete_usage(struct completion *completion, const char *usage);
void complete_argument(struct completion *completion, const char *usage);
/* What a help calls `n` bytes at `name`: "EVENT", "FILE" … */
void complete_kind(struct completion *completion, const char *name, size_t n);

/* An event string, or a list or group of them; PMUs by their whole names. */
void complete_event(struct completion *completion);
void complete_pmus(struct completion *completion);
/* The terms of an event of a PMU: the spot is behind a slash or a comma. */
void complete_terms(struct completion *completion, size_t event, size_t slash, size_t term);
void complete_files(struct completion *completion, bool only_dirs);
/* Hosts of the database; behind an @, the snapshots of one. */
void complete_hosts(struct completion *completion);
void complete_imports(struct completion *completion);
void complete_cpuids(struct completion *completion);

/* The machine of the line, opened once; NULL when it cannot be. */
struct pmuq_source *complete_source(struct completion *completion);
/* The vendor's table that the line puts to use, to be freed; NULL: none. */
struct pmuq_vendor *complete_vendor(struct completion *completion);

/* A word that begins with `keep` bytes of the word at hand and then `text` and `tail`, if what is
 * there goes on like that. `open` is static; about may be NULL. */
void complete_offer(struct completion *completion, size_t keep, const char *text, const char *tail,
		    const char *open, const char *about);
/* Each once, a line each, with a description behind a tab. */
void complete_print(struct completion *completion, FILE *to);
void complete_clear(struct completion *completion);

#endif
