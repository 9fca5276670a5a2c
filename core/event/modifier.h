/* SPDX-License-Identifier: MIT */
/*
 * Modifiers: the letters after an event or a group. A row of PQ_MODIFIERS contains everything about
 * a letter: the parser, the encoder, explain, decode, completion, the hints (some are in open/) and
 * the limits below use it. encode/attr/apply_modifiers.c implements the effects.
 */
#pragma once

#include "core/attr/attr.h"
#include "core/error.h"
#include <pmuq/libpfm4.h>

enum pq_modifier_effect {
	/* Member of a set: the first letter excludes all other members, and each letter includes
	 * its own. */
	PQ_MODIFIER_INCLUDES,
	PQ_MODIFIER_SETS,   /* sets its field to 1 */
	PQ_MODIFIER_COUNTS, /* adds the number of its occurrences to its field */
	PQ_MODIFIER_IS_FOR_TOOL,
};

/* Letters that exclude each other. */
enum pq_modifier_set {
	PQ_SET_NONE,
	PQ_SET_LEVELS, /* user, kernel, hypervisor */
	PQ_SET_GUESTS, /* guest, host */
};

/* The texts are in the row, so that the loader of the library has no pointer to relocate; "": none.
 */
struct pq_modifier {
	char letter;
	uint8_t max_times;
	enum pq_modifier_effect effect : 8;
	enum pq_attr_field field : 8; /* of PQ_MODIFIER_INCLUDES: the field that excludes it */
	enum pq_modifier_set set : 8;
	enum pmuq_pfm_modifier pfm : 8;
	bool is_filter;	     /* it selects who causes an event; an uncore PMU cannot */
	bool is_leaders;     /* in a group's modifiers, it applies to the leader only */
	bool is_for_groups;  /* a single event cannot have it */
	bool stays;	     /* the event is not moved when groups are sorted */
	bool cannot_lead;    /* the event is sorted to the end of its group */
	char meaning[21];    /* in a few words */
	char tool_term[15];  /* name of its tool term */
	char in_libpfm4[10]; /* libpfm4's spelling; a number follows if it COUNTS */
} __attribute__((aligned(64)));

// clang-format off
/* X(with, letter, maximum number of occurrences, effect, set, meaning, the rest of the row), in the
 * order in which lists show them and decode writes them. `with` is for the macro X. */
#define PQ_MODIFIERS(X, with) \
	X(with, 'u', 1, INCLUDES,    LEVELS, "user",                 .field = PQ_FIELD_exclude_user,   .is_filter = true, .in_libpfm4 = "u", .pfm = PMUQ_PFM_U) \
	X(with, 'k', 1, INCLUDES,    LEVELS, "kernel",               .field = PQ_FIELD_exclude_kernel, .is_filter = true, .in_libpfm4 = "k", .pfm = PMUQ_PFM_K) \
	X(with, 'h', 1, INCLUDES,    LEVELS, "hypervisor",           .field = PQ_FIELD_exclude_hv,     .is_filter = true, .in_libpfm4 = "h", .pfm = PMUQ_PFM_H) \
	X(with, 'p', 3, COUNTS,      NONE,   "precise",              .field = PQ_FIELD_precise_ip,     .in_libpfm4 = "precise=", .pfm = PMUQ_PFM_PRECISE) \
	X(with, 'G', 1, INCLUDES,    GUESTS, "guest",                .field = PQ_FIELD_exclude_guest,  .is_filter = true, .in_libpfm4 = "mg=1", .pfm = PMUQ_PFM_MG) \
	X(with, 'H', 1, INCLUDES,    GUESTS, "host",                 .field = PQ_FIELD_exclude_host,   .is_filter = true, .in_libpfm4 = "mh=1", .pfm = PMUQ_PFM_MH) \
	X(with, 'I', 1, SETS,        NONE,   "not when idle",        .field = PQ_FIELD_exclude_idle,   .is_filter = true) \
	X(with, 'P', 1, IS_FOR_TOOL, NONE,   "as precise as can be", .tool_term = "precise_max") \
	X(with, 'S', 1, IS_FOR_TOOL, NONE,   "read the whole group", .tool_term = "sample_read") \
	X(with, 'D', 1, SETS,        NONE,   "pinned",               .field = PQ_FIELD_pinned,         .is_leaders = true, .in_libpfm4 = "pinned=1", .pfm = PMUQ_PFM_PINNED) \
	X(with, 'W', 1, IS_FOR_TOOL, NONE,   "weak group",           .tool_term = "weak_group", .is_for_groups = true) \
	X(with, 'e', 1, SETS,        NONE,   "exclusive",            .field = PQ_FIELD_exclusive,      .is_leaders = true, .in_libpfm4 = "excl=1", .pfm = PMUQ_PFM_EXCL) \
	X(with, 'b', 1, IS_FOR_TOOL, NONE,   "counted by BPF",       .tool_term = "bpf_counter") \
	X(with, 'R', 1, IS_FOR_TOOL, NONE,   "retire latency",       .tool_term = "retire_latency", .cannot_lead = true) \
	X(with, 'X', 1, IS_FOR_TOOL, NONE,   "do not regroup",       .tool_term = "dont_regroup", .stays = true)
// clang-format on

/* The longest word that the scanner accepts as modifiers: each letter as often as allowed. */
enum {
#define X(with, letter, times, ...) +(times)
	PQ_MODIFIERS_MAX = 0 PQ_MODIFIERS(X, )
#undef X
};

/* A set of letters has a bit for each, from 'A' on. */
#define PQ_MODIFIER_BIT(letter) (UINT64_C(1) << ((unsigned char)(letter) - (unsigned)'A'))

static inline bool pq_modifier_is_letter(char c)
{
	static const uint64_t letters = 0
#define X(with, letter, ...) | PQ_MODIFIER_BIT(letter)
		PQ_MODIFIERS(X, )
#undef X
		;
	unsigned bit = (unsigned char)c - (unsigned)'A';

	return bit < 64 && letters >> bit & 1;
}

/* Whether the text consists of modifiers; true for "". */
static inline bool pq_modifier_are_letters(struct pmuq_str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!pq_modifier_is_letter(text.p[i]))
			return false;
	return true;
}

/* The row of a letter, by its bit. Every event reads it, so there is no function call. */
extern const struct pq_modifier pq_modifier_rows[64];

/* The letters of each set. */
extern const uint64_t pq_modifier_sets[];

/* Of a letter of the table. */
static inline const struct pq_modifier *pq_modifier_of(char letter)
{
	return &pq_modifier_rows[letter - 'A'];
}

/* Removes one letter from a set of letters that is not empty, and returns its row. */
static inline const struct pq_modifier *pq_modifier_take(uint64_t *letters)
{
	const struct pq_modifier *modifier = &pq_modifier_rows[__builtin_ctzll(*letters)];

	*letters &= *letters - 1;
	return modifier;
}

/* The n-th row; NULL after the last. */
const struct pq_modifier *pq_modifier_at(size_t index);
/* The letter with that meaning; 0 if there is none. */
char pq_modifier_letter(struct pmuq_str meaning);

/* Modifiers as they were written, with the number of occurrences of each letter. */
struct pq_modifiers {
	struct pmuq_str letters;
	/* The span of the letters; or of the whole name of libpfm4, if its modifier has another
	 * length. */
	struct pq_span at;
	uint64_t bits; /* PQ_MODIFIER_BIT() of each letter */
};

/* `is_group`: the modifiers follow a group. Spans are spans of the input. */
int pq_modifiers_parse(struct pmuq_str letters, struct pq_span at, bool is_group,
		       struct pq_modifiers *ret, struct pmuq_error **reterr);
