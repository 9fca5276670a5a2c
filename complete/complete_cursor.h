/* SPDX-License-Identifier: MIT */
/*
 * The cursor in an event string: which part of the grammar it is in, and what the parser has read
 * of the event up to there. Queries no machine.
 */
#pragma once

#include "encode/parse/parse.h"
#include <pmuq/complete.h>

struct pq_cursor {
	enum pmuq_cursor at;
	bool is_quoted;	  /* the word begins with a quote, which is before its span */
	bool is_in_group; /* and the group is still open */
	/* The written part of the word at the cursor; empty if none has begun. */
	struct pq_span word;
	/* What contains the cursor, as far as it was read: a group or event, an event of it, a term
	 * of that. NULL: the cursor is not in terms, or is in their first word. */
	const struct pq_item *item;
	const struct pq_node *node;
	const struct pq_term *term;
};

/* Finds the location of the cursor at the end of `text`, by the rules of the grammar alone. 0 or
 * -PMUQ_E_MEMORY. */
int pq_complete_find_cursor(struct pq_arena *arena, struct pmuq_str text, struct pq_cursor *ret);
