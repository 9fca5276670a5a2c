/* SPDX-License-Identifier: MIT */
/*
 * The PMUs of both machines, family by family: a family is all PMUs whose names differ only in the
 * number. Only one family is in memory at a time, so that its PMUs are still in the processor's
 * caches when they are compared.
 */
#pragma once

#include "diff/diff.h"

/* A catalog has the core PMUs first, and each half in the order of names. */
#define PQ_MERGE_RUNS (2 * PQ_SIDES)

/* Some PMUs of a catalog, which are in the order of names. */
struct pq_merge_run {
	const struct pmuq_catalog *catalog;
	size_t next, end;
	int side;
	const struct pmuq_pmu *pmu; /* the one before `next`; NULL after the last */
	struct pmuq_str base;	    /* its name without the number */
	uint64_t number;
};

struct pq_merge {
	struct pq_differ *d;
	struct pq_merge_run runs[PQ_MERGE_RUNS], *least; /* NULL after the last */
	PQ_VEC(struct pq_pmu_pair) pairs;
	size_t n_families;
};

void pq_merge_begin(struct pq_merge *merge, struct pq_differ *d);
/* The next family, in the order of names; it lives until the next call. False after the last. */
bool pq_merge_next(struct pq_merge *merge, struct pq_family *ret);
void pq_merge_end(struct pq_merge *merge);
