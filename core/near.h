/* SPDX-License-Identifier: MIT */
/*
 * Similar names, for hints: what the user may have meant by an unknown word. Candidates are added
 * one by one; the most similar ones are kept.
 */
#pragma once

#include "core/buf.h"

/* The most similar words so far, in the order of their distance; equal ones in the order in which
 * they were added. */
#define PQ_NEAR_MAX 3u

struct pq_near {
	struct pmuq_str word;
	bool ignores_case;
	struct pmuq_str found[PQ_NEAR_MAX];
	size_t distance[PQ_NEAR_MAX];
	size_t n;
};

/* The candidate must live as long as it may be printed. */
void pq_near_consider(struct pq_near *near, struct pmuq_str candidate);
/* "did you mean 'a', 'b' or 'c'?": those whose distance is at most one more than the smallest.
 * Prints nothing if there are none. */
void pq_near_print(const struct pq_near *near, struct pq_buf *hint);

/* Begins a sentence or a list in a hint, separated from a previous one. Returns where a list
 * begins, for pq_buf_list(). */
size_t pq_hint_begin(struct pq_buf *hint, const char *format, ...) PQ_PRINTF(2, 3);
