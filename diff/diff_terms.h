/* SPDX-License-Identifier: MIT */
/*
 * The bits that an event's terms set through the formats of its PMU: those that encode/ sets for
 * the event alone, which tests/unit/test_diff_law.c compares on all machines. Terms that set no
 * bits of the config words (period=, parameters) are kept as text.
 */
#pragma once

#include "core/attr/attr.h"
#include "core/catalog/model.h"

struct pq_packed {
	uint64_t words[PQ_CONFIG_WORDS];
	uint64_t open[PQ_CONFIG_WORDS]; /* the bits of parameters ("?") */
	struct pmuq_str settings;	/* "domain=?,period=0x64", by name */
	const char *refusal;		/* why it cannot be encoded; NULL if it can */
};

/* False if out of memory; texts live in the arena. */
bool pq_terms_pack(struct pq_arena *arena, const struct pq_def *def, struct pmuq_str terms,
		   struct pq_packed *ret);
bool pq_packed_same_bits(const struct pq_packed *a, const struct pq_packed *b);
