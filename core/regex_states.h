/* SPDX-License-Identifier: MIT */
/*
 * The automaton of a regular expression: an array of states. A state tests one byte, tests the
 * position, or continues at other states. Jumps are relative, so a repetition copies states as they
 * are. regex.c makes it, regex_match.c runs it.
 */
#pragma once

#include "core/regex.h"

enum pq_regex_type {
	PQ_REGEX_BYTE, /* .byte */
	PQ_REGEX_ANY,
	PQ_REGEX_SET,	 /* .set: an index */
	PQ_REGEX_BEGIN,	 /* at the begin of the text */
	PQ_REGEX_END,	 /* at its end */
	PQ_REGEX_JUMP,	 /* continue at .to */
	PQ_REGEX_BRANCH, /* continue at the next state and at .to */
	PQ_REGEX_MATCH,
};

struct pq_regex_state {
	uint8_t type;
	union {
		unsigned char byte;
		uint8_t set;
	};
	int16_t to; /* from this state */
};

/* A bit for each byte. */
struct pq_regex_set {
	uint8_t bits[32];
};

/* A bracket expression has at least 3 bytes; the last one can be cut off after its '['. */
#define PQ_REGEX_SETS_MAX (PQ_REGEX_MAX_BYTES / 3 + 1)

struct pq_regex {
	size_t n_states;
	const struct pq_regex_set *sets;
	struct pq_regex_state states[];
};
