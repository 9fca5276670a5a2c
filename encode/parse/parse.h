/* SPDX-License-Identifier: MIT */
/*
 * Text to tree. Knows the grammar and nothing about machines.
 *
 *     list       = item { "," item }
 *     item       = [ NAME ] "{" event { "," event } "}" [ ":" MODIFIERS ] | event
 *     event      = NAME "/" [ terms ] "/" [ MODIFIERS ]
 *                | NAME [ ":" [ MODIFIERS ] ]
 *                | NAME ":" NAME [ "/" [ terms ] "/" ] [ ":" ] [ MODIFIERS ]
 *                | NUMBER ":" NUMBER [ "/" [ terms ] "/" ] [ ":" ] [ MODIFIERS ]
 *                | RAW [ "/" [ terms ] "/" ] [ ":" ] [ MODIFIERS ]
 *                | [ "pfm:" ] NAME "::" PFM-NAME | "pfm:" PFM-NAME
 *                | "mem:" NUMBER [ "/" NUMBER ] [ ":" ACCESS ] [ "/" [ terms ] "/" ] [ ":" ] [
 * MODIFIERS ] terms      = term { "," term } term       = KEY [ "=" VALUE ] | RAW | "@" KEY [ "="
 * WORD ]
 *
 * Blanks between tokens mean nothing. A word is what its letters are: first RAW (r and 1 to 16 hex
 * digits), then NUMBER (decimal, or 0x and 1 to 16 hex digits), then MODIFIERS (1 to 17 letters of
 * their set), else NAME, which may be quoted.
 */
#ifndef PQ_PARSE_H
#define PQ_PARSE_H

#include "core/arena.h"
#include "encode/parse/ast.h"

/* Errors carry a span of `text`. The tree lives in the arena and points into `text`. */
int pq_parse_events(struct pq_arena *arena, struct pmuq_str text, struct pq_item **ret,
		    struct pmuq_error **reterr);
/* Why the event at `from` is none of the grammar, libpfm4's names left aside. A failure. */
int pq_parse_refusal(struct pq_arena *arena, struct pmuq_str text, size_t from,
		     struct pmuq_error **reterr);
/* A term list without slashes, as in a file of events/. */
int pq_parse_terms(struct pq_arena *arena, struct pmuq_str text, struct pq_term **ret,
		   struct pmuq_error **reterr);

/* A place in a text; the two parsers share it. */
struct pq_scanner {
	struct pmuq_str text;
	size_t at;
	struct pq_arena *arena;
	struct pmuq_error **reterr;
	unsigned n_terms;
	bool is_plain; /* what only libpfm4 could mean is an error */
};

static inline char pq_scan_peek(const struct pq_scanner *s)
{
	return s->at < s->text.n ? s->text.p[s->at] : '\0';
}

/* Moves behind the bytes of these classes; in registers, as most of the parser's time goes here. */
static inline void pq_scan_run(struct pq_scanner *s, unsigned classes)
{
	const char *p = s->text.p + s->at, *end = s->text.p + s->text.n;

	while (p < end && char_is(*p, classes))
		p++;
	s->at = (size_t)(p - s->text.p);
}

static inline void pq_scan_blanks(struct pq_scanner *s)
{
	if (char_is_space(pq_scan_peek(s)))
		pq_scan_run(s, CHAR_SPACE);
}

static inline struct pq_span pq_scan_span(size_t from, size_t to)
{
	return (struct pq_span){ .offset = (uint32_t)from, .length = (uint32_t)(to - from) };
}

static inline struct pmuq_str pq_scan_slice(const struct pq_scanner *s, struct pq_span at)
{
	return str_part(s->text, at.offset, at.offset + at.length);
}

/* Says that `expected` should stand here; marks the byte that stands there, or the end. */
int pq_scan_unexpected(struct pq_scanner *s, const char *expected);
/* Terms up to the closing slash, which is consumed; the opening one was, at `open`. */
int pq_scan_slashed_terms(struct pq_scanner *s, size_t open, struct pq_term **ret);
/* 'text' at the cursor; the span is of what is between the quotes. */
int pq_scan_quoted(struct pq_scanner *s, struct pq_span *ret);
/* A number of the event, and what may follow all events but a NAME: "/terms/", modifiers. */
int pq_scan_number(struct pq_scanner *s, const char *expected, uint64_t *ret);
int pq_scan_tail(struct pq_scanner *s, struct pq_node *node);
/* parse_breakpoint.c: the cursor is behind "mem:". */
int pq_scan_breakpoint(struct pq_scanner *s, struct pq_node *node);
/* Whether the word is RAW ("r1a"); with_prefix takes "r0x1a", too. */
bool pq_word_is_raw(struct pmuq_str word, bool with_prefix, uint64_t *ret);

#endif
