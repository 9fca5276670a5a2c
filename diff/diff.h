/* SPDX-License-Identifier: MIT */
/*
 * What the comparers share: a differ, which gathers changes, and what two machines have of one
 * kind of box. Side 0 is before, side 1 after, everywhere.
 *
 * All that return int answer 0 or -PMUQ_E_MEMORY.
 */
#ifndef PQ_DIFF_H
#define PQ_DIFF_H

#include "core/attr/attr.h"
#include "core/catalog/catalog.h"
#include "core/vec.h"
#include <pmuq/pmuq.h>

enum {
	PQ_BEFORE,
	PQ_AFTER,
	PQ_SIDES,
};

/* Names of PMUs. */
struct pq_pmu_names {
	const struct pmuq_str *v;
	size_t n;
};

/* A change as it is found; pq_diff_sort() makes its record. */
struct pq_change {
	enum pmuq_change_type type;
	enum pmuq_weight weight;
	struct pq_pmu_names pmus, new_pmus;
	struct pmuq_str name, text[PQ_SIDES]; /* .p NULL: none */
	struct pmuq_str sentence;
	uint64_t words[PQ_SIDES][PQ_CONFIG_WORDS];
	size_t place, number; /* for the order: of the PMU, and as it was found */
};

/* Changes of the host stand before those of all PMUs, tracepoints behind. */
#define PQ_PLACE_HOST ((size_t)0)
#define PQ_PLACE_PMUS ((size_t)1)
#define PQ_PLACE_TRACEPOINTS SIZE_MAX

struct pmuq_diff {
	struct pq_arena arena; /* all texts of the changes */
	struct {
		PQ_VEC(struct pq_change);
	} changes; /* until the records are made */
	struct pmuq_change *records;
	size_t n; /* changes, and then records */
	size_t counts[PMUQ_WEIGHT_PASSING + 1];
};

struct pq_differ {
	const struct pmuq_catalog *catalogs[PQ_SIDES];
	const struct pmuq_check *checks[PQ_SIDES];
	bool is_incomplete[PQ_SIDES];
	struct pmuq_diff *diff;
	struct pq_arena scratch;
	size_t place; /* of what is being compared */
	struct pmuq_error **reterr;
};

/* change.c: a copy of the change with its sentence; `pmus` must live in the diff's arena. */
int pq_diff_add(struct pq_differ *d, const struct pq_change *change, const char *format, ...)
	PQ_PRINTF(3, 4);
/* Sorts them, and makes the records: at the end. */
int pq_diff_sort(struct pq_differ *d);
/* The names in the diff's arena. */
int pq_diff_names(struct pq_differ *d, const struct pmuq_pmu *const *pmus, size_t n,
		  struct pq_pmu_names *ret);
/* A PMU, or a part of one, that is on one side only: whether that says anything. */
static inline bool pq_diff_tells(const struct pq_differ *d, int side_that_lacks)
{
	return !d->is_incomplete[side_that_lacks];
}

/* group.c: all PMUs. */
int pq_diff_pmus(struct pq_differ *d);

/* The same PMUs before and after; all of them have these two definitions. */
struct pq_pairing {
	const struct pmuq_pmu *const *pmus[PQ_SIDES];
	size_t n;
	struct pq_pmu_names names;
};

static inline const struct pq_def *pq_pairing_def(const struct pq_pairing *pairing, int side)
{
	return pq_def_of(pairing->pmus[side][0]);
}

/* The parts of a pairing, a file each: pmu.c, format.c, event.c, pair.c. */
int pq_diff_own(struct pq_differ *d, const struct pq_pairing *pairing);
int pq_diff_formats(struct pq_differ *d, const struct pq_pairing *pairing);
int pq_diff_events(struct pq_differ *d, const struct pq_pairing *pairing);
int pq_diff_caps(struct pq_differ *d, const struct pq_pairing *pairing);
int pq_diff_attributes(struct pq_differ *d, const struct pq_pairing *pairing);
bool pq_diff_same_def(const struct pq_def *a, const struct pq_def *b);

/* verdict.c: what the kernel said of the events of the pairing's PMUs. */
int pq_diff_verdicts(struct pq_differ *d, const struct pq_pairing *pairing);

/* The rest of the machine. */
int pq_diff_facts(struct pq_differ *d);
int pq_diff_tracepoints(struct pq_differ *d);

/* Changes of single boxes, those that are alike made one. */
struct pq_single {
	struct pq_change change;
	const struct pmuq_pmu *pmu;
	const char *sentence; /* lives until the singles are finished */
	size_t number;
};

struct pq_singles {
	PQ_VEC(struct pq_single);
};

int pq_singles_add(struct pq_differ *d, struct pq_singles *singles, const struct pq_single *single);
/* Hands all to the diff, and frees the array. */
int pq_singles_finish(struct pq_differ *d, struct pq_singles *singles);
void pq_singles_free(struct pq_singles *singles);

#endif
