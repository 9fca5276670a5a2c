/* SPDX-License-Identifier: MIT */
/*
 * Event strings to trees. The grammar is in docs/grammar.md, which tests/cases/test_grammar.py
 * compares with this parser. Queries no machine.
 */
#pragma once

#include "core/arena.h"
#include "encode/parse/ast.h"

/*
 * The tree of an event string. It lives in the arena and points into `text`; errors carry a span of
 * `text`. After a failure *ret is the tree up to the byte that failed.
 */
int pq_parse_events(struct pq_arena *arena, struct pmuq_str text, struct pq_item **ret,
		    struct pmuq_error **reterr);
/* A failure: the reason why the event at `from` is not in the grammar, if libpfm4's names are not
 * tried. */
int pq_parse_refusal(struct pq_arena *arena, struct pmuq_str text, size_t from,
		     struct pmuq_error **reterr);

/* Whether a word without quotes is a NAME: not a raw event, a number or modifiers. */
bool pq_word_is_name(struct pmuq_str word);
/* The name, in quotes if it needs them. False if an event string cannot contain it. */
bool pq_write_name(struct pq_buf *to, struct pmuq_str name);

/* Rules that the files here share: a whole event string; a number of an event; the tail of all
 * events except a NAME; a breakpoint, after its "mem:"; a name of libpfm4. */
int pq_scan_list(struct pq_scanner *s, struct pq_item **ret);
int pq_scan_number(struct pq_scanner *s, enum pq_expected expected, uint64_t *ret);
int pq_scan_tail(struct pq_scanner *s, struct pq_node *node);
int pq_scan_breakpoint(struct pq_scanner *s, struct pq_node *node);
int pq_scan_pfm_name(struct pq_scanner *s, struct pq_node *node);

static inline bool pq_scan_at_event_end(struct pq_scanner *s)
{
	char c;

	pq_scan_blanks(s);
	c = pq_scan_peek(s);
	return s->at >= s->text.n || c == ',' || c == '}';
}
