/* SPDX-License-Identifier: MIT */
/*
 * Near names: what somebody may have meant by a word that is none, for hints. The candidates come
 * one after the other; those that are nearest are kept.
 */
#ifndef PQ_NEAR_H
#define PQ_NEAR_H

#include "core/buf.h"

/* The nearest words so far; ties stand in the order of arrival. */
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
/* "did you mean 'a', 'b' or 'c'?" Only those as near as the nearest are worth a guess; nothing when
 * there are none. */
void pq_near_print(const struct pq_near *near, struct pq_buf *hint);

#endif
