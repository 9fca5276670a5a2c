/* SPDX-License-Identifier: MIT */
/*
 * Event strings to trees. The grammar is in docs/grammar.md. Knows nothing of machines.
 */
#ifndef PQ_PARSE_H
#define PQ_PARSE_H

#include "core/arena.h"
#include "encode/parse/ast.h"

/*
 * The tree of an event string. It lives in the arena and points into `text`; errors carry a span of
 * `text`. After a failure *ret is the tree up to the byte that failed.
 */
int pq_parse_events(struct pq_arena *arena, struct pmuq_str text, struct pq_item **ret,
		    struct pmuq_error **reterr);
/* Why the event at `from` is not one of the grammar, if libpfm4's names are not tried. A failure.
 */
int pq_parse_refusal(struct pq_arena *arena, struct pmuq_str text, size_t from,
		     struct pmuq_error **reterr);

/* Whether a word without quotes is a NAME: not a raw event, a number or modifiers. */
bool pq_word_is_name(struct pmuq_str word);

/* Rules that parse.c and parse_breakpoint.c share: a number of the event, what may follow all
 * events but a NAME, and a breakpoint, whose "mem:" was read. */
int pq_scan_number(struct pq_scanner *s, enum pq_expected expected, uint64_t *ret);
int pq_scan_tail(struct pq_scanner *s, struct pq_node *node);
int pq_scan_breakpoint(struct pq_scanner *s, struct pq_node *node);

#endif
