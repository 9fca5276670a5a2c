/* SPDX-License-Identifier: MIT */
/*
 * What an event's terms set through the formats of its PMU: the same bits as encode/ gives the
 * event without any terms of the user's, which tests/unit/test_diff_terms.c holds of all machines.
 * What is no bits of the config words (period=, parameters) is kept as text to compare.
 */
#ifndef PQ_DIFF_TERMS_H
#define PQ_DIFF_TERMS_H

#include "core/attr/attr.h"
#include "core/catalog/model.h"

struct pq_packed {
	uint64_t words[PQ_CONFIG_WORDS];
	uint64_t open[PQ_CONFIG_WORDS]; /* where parameters ("?") go */
	struct pmuq_str settings;	/* "domain=?,period=0x64", by name */
	const char *refusal;		/* why it cannot be encoded; NULL if it can */
};

/* False when out of memory; texts live in the arena. */
bool pq_terms_pack(struct pq_arena *arena, const struct pq_def *def, struct pmuq_str terms,
		   struct pq_packed *ret);
bool pq_packed_same_bits(const struct pq_packed *a, const struct pq_packed *b);
/* A term that every PMU takes and that is no bits of a config word. */
bool pq_term_is_setting(struct pmuq_str key);

#endif
