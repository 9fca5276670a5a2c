/* SPDX-License-Identifier: MIT */
/*
 * Shared by the comparing functions: a differ, which collects changes; the PMUs that both machines
 * have; and two sorted arrays that are compared name by name. Side 0 is before, side 1 is after,
 * everywhere.
 *
 * Only memory can fail. The differ stores the failure, the functions continue, and diff.c discards
 * the result.
 */
#pragma once

#include "core/attr/attr.h"
#include "core/buf.h"
#include "core/catalog/catalog.h"
#include "core/vec.h"
#include <pmuq/pmuq.h>

enum {
	PQ_BEFORE,
	PQ_AFTER,
	PQ_SIDES,
};

/* Names of PMUs, in the diff's arena. */
struct pq_pmu_names {
	struct pmuq_str *v;
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
	size_t rank, number; /* sort order: by rank, then in the order of discovery */
};

/* A change of a single PMU instance. */
struct pq_single {
	struct pq_change change;
	const struct pmuq_pmu *pmu;
	const char *sentence; /* lives until the singles are finished */
	size_t number;
};

/* Among changes of one weight: first the host's, then those of PMUs in the order of the PMUs, last
 * the tracepoints'. */
#define PQ_RANK_HOST ((size_t)0)
#define PQ_RANK_CORE_PMUS ((size_t)1)
#define PQ_RANK_PMUS (SIZE_MAX / 2)
#define PQ_RANK_TRACEPOINTS SIZE_MAX

struct pmuq_diff {
	struct pq_arena arena;		  /* all texts of the changes */
	PQ_VEC(struct pq_change) changes; /* until the records are made */
	struct pmuq_change *records;
	size_t n; /* changes, and then records */
	size_t counts[PMUQ_WEIGHT_PASSING + 1];
};

struct pq_differ {
	const struct pmuq_catalog *catalogs[PQ_SIDES];
	const struct pmuq_check *checks[PQ_SIDES];
	/* Something that is missing on this side is not a change: it may only be unread. */
	bool is_incomplete[PQ_SIDES];
	struct pmuq_diff *diff;
	struct pq_arena scratch;
	size_t rank;			  /* of the changes that are found now */
	PQ_VEC(struct pq_single) singles; /* of the pairing that is compared now */
	bool is_out_of_memory;
};

static inline int pq_other_side(int side)
{
	return side == PQ_BEFORE ? PQ_AFTER : PQ_BEFORE;
}

/* For qsort(): subtracting would overflow an int. */
static inline int pq_diff_order(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

/* n zeroed elements until the end of the comparison; NULL if out of memory. */
static inline void *pq_diff_array(struct pq_differ *d, size_t n, size_t each)
{
	void *v = pq_arena_array(&d->scratch, n, each);

	d->is_out_of_memory |= !v;
	return v;
}

/* The text that was printed into the scratch memory, until the end of the comparison; .p is NULL if
 * out of memory. */
static inline struct pmuq_str pq_diff_text(struct pq_differ *d, struct pq_buf *text)
{
	struct pmuq_str taken = pq_buf_take_str(text);

	d->is_out_of_memory |= !taken.p;
	return taken;
}

/* diff_change.c: adds a copy of the change with its sentence; `pmus` must live in the diff's arena.
 */
void pq_diff_add(struct pq_differ *d, const struct pq_change *change, const char *format, ...)
	PQ_PRINTF(3, 4);
/* Sorts the changes, and makes their records: at the end. */
void pq_diff_sort(struct pq_differ *d);
/* An empty list with memory for n names. */
struct pq_pmu_names pq_diff_names(struct pq_differ *d, size_t n);
void pq_diff_add_name(struct pq_differ *d, struct pq_pmu_names *names, struct pmuq_str name);

/* ---------------------------------------------------------------------------------------- PMUs */

struct pq_pmu_pair {
	const struct pmuq_pmu *pmu[PQ_SIDES]; /* NULL: this side does not have it */
};

/* All PMUs whose names differ only in the number, of both machines: one pair for each name. */
struct pq_family {
	struct pmuq_str base;	   /* the name without a number */
	struct pq_pmu_pair *pairs; /* by the number of the instance, then by name */
	size_t n, n_sides[PQ_SIDES];
	size_t rank;			 /* of its changes */
	const struct pq_family *renamed; /* the one of the other side that has its PMUs */
};

struct pq_families {
	PQ_VEC(struct pq_family);
};

/* The first PMU of that side; NULL if it has none. */
static inline const struct pmuq_pmu *pq_family_first(const struct pq_family *family, int side)
{
	for (size_t i = 0; i < family->n; i++)
		if (family->pairs[i].pmu[side])
			return family->pairs[i].pmu[side];
	return NULL;
}

/* diff_family.c: all PMUs. */
void pq_diff_pmus(struct pq_differ *d);

/* diff_lone.c: families that only one machine has: gone, new or renamed. */
void pq_diff_lone(struct pq_differ *d, const struct pq_families *lone);
/* The PMUs of the family that only this side has. */
void pq_diff_add_lone(struct pq_differ *d, const struct pq_family *family, int side);

/* PMUs that both machines have; all of them have these two definitions. */
struct pq_pairing {
	const struct pq_pmu_pair *pairs;
	size_t n;
	struct pq_pmu_names names;
};

static inline const struct pq_def *pq_pairing_def(const struct pq_pairing *pairing, int side)
{
	return pq_def_of(pairing->pairs->pmu[side]);
}

/* What a pairing consists of, a file each: diff_format.c, diff_event.c, diff_pair.c. */
void pq_diff_formats(struct pq_differ *d, const struct pq_pairing *pairing);
void pq_diff_events(struct pq_differ *d, const struct pq_pairing *pairing);
void pq_diff_caps(struct pq_differ *d, const struct pq_pairing *pairing);

/* What each of its PMUs has of its own: diff_pmu.c, diff_pair.c. */
void pq_diff_types(struct pq_differ *d, const struct pq_pairing *pairing);
void pq_diff_own(struct pq_differ *d, const struct pmuq_pmu *before, const struct pmuq_pmu *after);
void pq_diff_attributes(struct pq_differ *d, const struct pmuq_pmu *before,
			const struct pmuq_pmu *after);

/* diff_instance.c: adds a copy of a single change; then those that are alike become one change of
 * the diff. */
void pq_diff_add_single(struct pq_differ *d, const struct pq_single *single);
void pq_diff_finish_singles(struct pq_differ *d);

/* diff_opens.c: whether the kernel opened the events of the pairing's PMUs. */
void pq_diff_opens(struct pq_differ *d, const struct pq_pairing *pairing);

/* The rest of the machine. */
void pq_diff_facts(struct pq_differ *d);
void pq_diff_tracepoints(struct pq_differ *d);

/* Two arrays, each sorted by name, walked side by side. */
struct pq_two_lists {
	struct pq_named_array v[PQ_SIDES];
	size_t n[PQ_SIDES], at[PQ_SIDES];
};

#define PQ_TWO_LISTS(before, n_before, after, n_after)                                             \
	{                                                                                          \
		.v = { PQ_NAMED(before, name), PQ_NAMED(after, name) }, .n = { n_before, n_after } \
	}

/* The next name's element of each side, NULL on a side without it. False at the end. Inline: most
 * of the time of a comparison goes into names that both sides have. */
__attribute__((always_inline)) static inline bool
pq_two_lists_next(struct pq_two_lists *lists, const void **ret_before, const void **ret_after)
{
	size_t i = lists->at[PQ_BEFORE], k = lists->at[PQ_AFTER];
	bool has_before = i < lists->n[PQ_BEFORE], has_after = k < lists->n[PQ_AFTER];
	int order = (int)has_after - (int)has_before;

	if (has_before && has_after)
		order = str_cmp(pq_named_name(lists->v[PQ_BEFORE], i),
				pq_named_name(lists->v[PQ_AFTER], k));
	*ret_before = has_before && order <= 0 ? pq_named_at(lists->v[PQ_BEFORE], i) : NULL;
	*ret_after = has_after && order >= 0 ? pq_named_at(lists->v[PQ_AFTER], k) : NULL;
	lists->at[PQ_BEFORE] += *ret_before != NULL;
	lists->at[PQ_AFTER] += *ret_after != NULL;
	return has_before || has_after;
}
