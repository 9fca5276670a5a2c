/* SPDX-License-Identifier: MIT */
/*
 * One event on several PMUs: each PMU is tried, and one that refuses the terms is no failure as
 * long as another takes them. Instances of one definition share their encoding.
 */
#ifndef PQ_EXPAND_H
#define PQ_EXPAND_H

#include "encode/resolve/bindings.h"

/* The PMUs tried so far for one event of the input. */
struct pq_expansion {
	const struct pq_named *named;		/* the event whose name was written, or NULL */
	const struct pmuq_pmu *last;		/* the PMU of the newest encoding */
	const struct pmuq_pmu *refused;		/* the newest that did not take the terms */
	const struct pmuq_vendor_event *vendor; /* of the newest encoding, or NULL */
	struct pmuq_error *first_error;
	size_t first; /* index of the first encoding */
	size_t n_tried, n_refused;
	bool is_shareable; /* the newest encoding serves all instances of its PMU's definition */
	int refusal;	   /* the first one */
};

#define PQ_CLEAR_EXPANSION cleanup(pq_expansion_clear)
void pq_expansion_clear(struct pq_expansion *x);

/* 0 also if the PMU refuses the terms: that is noted in the expansion. */
int pq_expand_on(const struct pq_encoder *e, struct pq_expansion *x, const struct pmuq_pmu *pmu);
/* The same for each PMU of a list; with skips_core, for those that are no core PMUs. */
int pq_expand_on_list(const struct pq_encoder *e, struct pq_expansion *x, struct pq_pmu_list list,
		      bool skips_core);
/* After the last PMU: 0 if one took the terms, else the first refusal. */
int pq_expand_end(const struct pq_encoder *e, struct pq_expansion *x);

#endif
