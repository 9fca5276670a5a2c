/* SPDX-License-Identifier: MIT */
/*
 * The scanner of the event language: a cursor on a text, and the tokens that its parsers share.
 * It does not parse: the grammar is docs/grammar.md, its parsers are
 * core/event/terms.c (a list of terms) and encode/parse/ (whole event strings).
 */
#pragma once

#include "core/error.h"

/* What a parser expected at a byte that it cannot accept. scan.c has words for each. */
enum pq_expected {
	PQ_EXPECTED_NOTHING, /* the failure has another cause */
	PQ_EXPECTED_EVENT,
	PQ_EXPECTED_EVENT_END,
	PQ_EXPECTED_MODIFIERS,
	PQ_EXPECTED_EVENT_TAIL,
	PQ_EXPECTED_TRACEPOINT,
	PQ_EXPECTED_PFM_NAME,
	PQ_EXPECTED_CONFIG_COLON,
	PQ_EXPECTED_CONFIG,
	PQ_EXPECTED_ADDRESS,
	PQ_EXPECTED_LENGTH,
	PQ_EXPECTED_GROUP_MODIFIERS,
	PQ_EXPECTED_LIST_END,
	PQ_EXPECTED_TERM,
	PQ_EXPECTED_TERM_NAME,
	PQ_EXPECTED_TERM_END,
	PQ_EXPECTED_TERMS_END,
	PQ_EXPECTED_VALUE,
	PQ_EXPECTED_TEXT,
	PQ_EXPECTED_DRIVER_NAME,
	PQ_EXPECTED_DRIVER_VALUE,
	PQ_EXPECTED_QUOTED_BYTE,
	PQ_EXPECTED_QUOTED_START,
	PQ_EXPECTED_QUOTED_TEXT,
};

struct pq_scanner {
	struct pmuq_str text;
	size_t at;
	struct pq_arena *arena;
	struct pmuq_error **reterr;
	bool is_plain; /* a token that only libpfm4 could know is an error */
	/* The newest failure: what was expected at `at`, and a quote that is not closed. */
	enum pq_expected expected;
	bool is_in_quotes;
};

static inline char pq_scan_peek(const struct pq_scanner *s)
{
	return s->at < s->text.n ? s->text.p[s->at] : '\0';
}

/* Moves past the bytes of these classes; in registers, because a parser spends most of its time
 * here. */
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

/* Fails: `expected` should be at the cursor. Marks the byte at the cursor, or the end. */
int pq_scan_unexpected(struct pq_scanner *s, enum pq_expected expected);
/* 'word' at the cursor; the span is the text between the quotes. An unclosed quote fails, with the
 * span of the rest. */
int pq_scan_quoted(struct pq_scanner *s, struct pq_span *ret);
/* 'any bytes' but a quote. */
int pq_scan_quoted_text(struct pq_scanner *s, struct pq_span *ret);

/* Whether the number is hex with more than 16 digits, which is a mistake even if the first ones are
 * 0. */
bool pq_word_is_long_hex(struct pmuq_str number);
/* Whether the word is a raw event, r and 1 to 16 hex digits; with_prefix accepts "r0x1a", too. */
bool pq_word_is_raw(struct pmuq_str word, bool with_prefix, uint64_t *ret);
