/* SPDX-License-Identifier: MIT */
/*
 * Completion of a command line: the line up to the cursor, and the words that can replace its last
 * word. It is independent of shells. After a failure there are fewer words and no message.
 */
#pragma once

#include "cli/options.h"

struct candidate {
	char *text;
	char *about;	  /* a description, or NULL */
	const char *next; /* one of these bytes must follow; NULL: the word may end */
};

struct line_completion {
	struct options options; /* of the line up to the word */
	const char *word;	/* up to the cursor; in "--option=WORD", the part after the "=" */
	size_t n_before;	/* bytes of the shell's word before that */
	bool is_operand; /* the command would take a word that begins with a dash for an option */
	bool is_name;	 /* a placeholder is completed, not a word of the usage line */
	struct pmuq_source *source;
	bool has_no_source;
	PQ_VEC(struct candidate) candidates;
};

/* Reads and reorders the words of the line; the last one is to be completed. */
void complete_line(struct line_completion *completion, char **words, size_t n);
/* Offers the next word by the usage line of a command, and the value of an option by its help. */
void complete_usage(struct line_completion *completion, const char *usage);
void complete_argument(struct line_completion *completion, const char *usage);
/* What the placeholder of `n` bytes at `name` stands for: "EVENT", "FILE" … */
void complete_placeholder(struct line_completion *completion, const char *name, size_t n);

/* An event string, or a list or group of them; PMUs and tracepoints by their whole names. */
void complete_event(struct line_completion *completion);
void complete_pmus(struct line_completion *completion);
void complete_tracepoints(struct line_completion *completion);
void complete_files(struct line_completion *completion, bool only_dirs);
/* Hosts of the database; after an @, the snapshots of one. */
void complete_hosts(struct line_completion *completion);
void complete_imports(struct line_completion *completion);
void complete_cpuids(struct line_completion *completion);

/* The machine of the line, opened once; NULL if it cannot be opened. */
struct pmuq_source *complete_source(struct line_completion *completion);
/* Opens the vendor's table that the line selects. The caller frees it; NULL without a table. */
struct pmuq_vendor *complete_vendor(struct line_completion *completion);

/* Offers a word if it begins with the word at the cursor: `keep` bytes of that word, `text` and
 * `tail`. `next` is static; `about` may be NULL. */
void complete_offer(struct line_completion *completion, size_t keep, const char *text,
		    const char *tail, const char *next, const char *about);
/* One word per line, each once, with a tab and its description. */
void complete_print(struct line_completion *completion, FILE *to);
void complete_clear(struct line_completion *completion);
