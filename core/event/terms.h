/* SPDX-License-Identifier: MIT */
/*
 * The terms of an event: "event=0x3c,umask=1,inv". The text between the slashes of an event string,
 * the text of a file in events/, and a list in a vendor's table are one language; this is its
 * parser. encode/ and diff/ decide what a term means.
 */
#pragma once

#include "core/event/scan.h"
#include "core/limits.h"

enum pq_value_type {
	PQ_VALUE_NONE,	    /* umask */
	PQ_VALUE_NUMBER,    /* umask=0x1 */
	PQ_VALUE_WORD,	    /* name=x, event=mem-loads */
	PQ_VALUE_PARAMETER, /* domain=? */
};

/* Text is slices of the input. */
struct pq_term {
	struct pmuq_str key, value; /* value: as written, without quotes */
	struct pq_span at, value_at;
	struct pq_term *next;
	uint64_t number;
	enum pq_value_type type;
	bool is_quoted; /* the key is quoted, so it cannot be a keyword */
	bool is_raw;	/* rNNN: key is the text, number its value */
	bool is_driver; /* @name=value: key is PQ_DRIVER_SETTING */
};

/*
 * Parses a list without slashes, as in a file of events/. The terms live in the arena and point
 * into `text`; errors carry a span of it. After a failure *ret contains the terms up to the failed
 * one; the last term has the spans that were read.
 */
int pq_parse_terms(struct pq_arena *arena, struct pmuq_str text, struct pq_term **ret,
		   struct pmuq_error **reterr);
/* Parses terms up to the closing slash, which is consumed; the opening slash was at `open`. After a
 * failure *ret is as above. */
int pq_scan_slashed_terms(struct pq_scanner *s, size_t open, struct pq_term **ret);

/* Whether the word can be the key of a term without quotes. */
bool pq_word_is_key(struct pmuq_str word);
/* Whether a value of the key may contain any byte in its quotes: a path, a function. */
bool pq_key_takes_text(struct pmuq_str key);
