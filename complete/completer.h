/* SPDX-License-Identifier: MIT */
/*
 * Completion of event strings: input is a cursor (complete_cursor.h) and a machine, output are
 * candidates. This module has no rules of the language: a candidate is offered if it encodes.
 */
#pragma once

#include "complete/complete_cursor.h"
#include "core/catalog/source.h"
#include "core/vec.h"

struct pq_candidates {
	PQ_VEC(struct pmuq_candidate);
};

struct pq_keys {
	PQ_VEC(struct pmuq_str);
};

struct pq_completer {
	struct pmuq_source *source;
	struct pq_lookup lookup;
	struct pmuq_encode_options options;
	struct pmuq_str text; /* the event string up to the cursor, NUL-terminated */
	struct pq_cursor cursor;
	struct pmuq_str word;  /* the written part of the word at the cursor, without its quote */
	struct pmuq_str event; /* from the first byte of the event, or of the closed group, on */
	/* For an event with slashes: the PMU of the terms (NULL: none), the text of a trial before
	 * the slash, and the text after it. Without slashes `head` is the event. */
	const struct pmuq_pmu *pmu;
	struct pmuq_str head, terms;
	bool names_event;     /* what is before the slash is an event: the PMU is one that has it */
	struct pq_keys needs; /* parameters of the event that have no value yet */
	struct pq_arena *arena; /* the result's */
	struct pq_arena scratch;
	struct pq_candidates *candidates;
	struct pq_buf trial;
	int failure; /* a resource error: the call fails as a whole */
};

/* Adds text to the trial, which pq_complete_try_code() encodes and empties: 0 if it is an event. */
void pq_complete_print(struct pq_completer *c, const char *format, ...) PQ_PRINTF(2, 3);
int pq_complete_try_code(struct pq_completer *c);

/* One candidate; `about` may be empty, and is copied. `next` is static. */
void pq_complete_offer(struct pq_completer *c, enum pmuq_candidate_type type, struct pmuq_str about,
		       const char *next, const char *format, ...) PQ_PRINTF(5, 6);
/* The text that must follow a complete event: in a group a comma or the brace. */
const char *pq_complete_event_end(const struct pq_completer *c);
/* Whether the name begins with the word at the cursor. */
bool pq_complete_begins(const struct pq_completer *c, struct pmuq_str name);
/* Whether the name can be written at the cursor, in quotes if those are open; if `is_key` as the
 * key of a term. */
bool pq_complete_can_write(const struct pq_completer *c, struct pmuq_str name, bool is_key);
/* "'" if the word is in quotes, else "". */
const char *pq_complete_quote(const struct pq_completer *c);
/* Stores a failure that ends the call; ignores all others. */
void pq_complete_note(struct pq_completer *c, int r);

/* complete_names.c: the first word of an event; a tracepoint after a colon, false if none fits. */
void pq_complete_events(struct pq_completer *c);
bool pq_complete_tracepoints(struct pq_completer *c);
/* complete_terms.c: finds the PMU of the event's terms; then keys, values, and the ends of a term
 * whose last word is `word`. */
void pq_complete_find_pmu(struct pq_completer *c);
void pq_complete_terms(struct pq_completer *c);
void pq_complete_value(struct pq_completer *c);
void pq_complete_term_end(struct pq_completer *c, struct pmuq_str word);
