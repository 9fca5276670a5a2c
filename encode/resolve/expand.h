/* SPDX-License-Identifier: MIT */
/*
 * One event on several PMUs: each PMU is tried. If one rejects the terms and another accepts them,
 * the call succeeds. Instances of one definition share their encoding.
 */
#pragma once

#include "encode/resolve/bindings.h"

/* The PMUs tried so far for one event of the input. */
struct pq_expansion {
	const struct pq_named *named;		/* the event whose name was written, or NULL */
	const struct pmuq_pmu *last;		/* the PMU of the newest encoding */
	const struct pmuq_pmu *refused;		/* the newest PMU that rejected the terms */
	const struct pmuq_vendor_event *vendor; /* of the newest encoding, or NULL */
	struct pmuq_error *error; /* the first refusal, or a later one that explains more */
	size_t first;		  /* index of the first encoding of the event */
	size_t n_tried, n_refused;
	bool is_shareable; /* the newest encoding is right for all instances of its PMU's definition
			    */
	int refusal;	   /* the one that `error` explains */
};

#define PQ_CLEAR_EXPANSION cleanup(pq_expansion_clear)
void pq_expansion_clear(struct pq_expansion *x);

/* Returns 0 also if the PMU rejects the terms: the expansion stores the rejection. */
int pq_expand_on(const struct pq_encoder *e, struct pq_expansion *x, const struct pmuq_pmu *pmu);
/* The same for each PMU of a list; skips_core: not for core PMUs. */
int pq_expand_on_list(const struct pq_encoder *e, struct pq_expansion *x, struct pq_pmu_list list,
		      bool skips_core);
/* After the last PMU: 0 if one took the terms, else the refusal that `error` explains. */
int pq_expand_end(const struct pq_encoder *e, struct pq_expansion *x);
