/* SPDX-License-Identifier: MIT */
/*
 * Members are added one by one. A member that does not fit next to those before it begins the next
 * subgroup, unless it cannot be counted alone either. Every step is tried on the kernel.
 */
#include "open/count/split_group.h"
#include "open/event_set.h"

/* Long enough to see whether the events get counters. */
#define TRY_MS 5u

struct group_split {
	struct pq_count_session *session;
	size_t *subgroup; /* indexes of the requests; memory for the whole group */
	size_t n;
	size_t n_subgroups;
	size_t breaker; /* the first member that did not fit; SIZE_MAX: none */
};

static int fits(struct group_split *split, size_t *indexes, size_t n, bool *ret_fits)
{
	unsigned ms = split->session->options.work_ms;
	int errnum;
	int r = pq_count_set(split->session, indexes, n, ms < TRY_MS ? ms : TRY_MS, false, &errnum);

	*ret_fits = r == 0 && errnum == 0;
	return r;
}

/* Stores the counts, or why there are none. */
static int count(struct group_split *split, size_t *indexes, size_t n)
{
	int errnum;

	return pq_count_set(split->session, indexes, n, split->session->options.work_ms, true,
			    &errnum);
}

/* The subgroup counts for the whole time. */
static int end_subgroup(struct group_split *split)
{
	int r;

	if (!split->n)
		return 0;
	r = count(split, split->subgroup, split->n);
	for (size_t k = 0; k < split->n; k++)
		split->session->counts->v[split->subgroup[k]].record.subgroup = split->n_subgroups;
	split->n_subgroups++;
	split->n = 0;
	return r;
}

static int add(struct group_split *split, size_t index)
{
	bool fits_in_subgroup, fits_alone = false;
	int r;

	split->subgroup[split->n] = index;
	r = fits(split, split->subgroup, split->n + 1, &fits_in_subgroup);
	if (r == 0 && !fits_in_subgroup && split->n > 0)
		r = fits(split, &index, 1, &fits_alone);
	if (r < 0)
		return r;
	if (fits_in_subgroup) {
		split->n++;
		return 0;
	}
	split->breaker = split->breaker == SIZE_MAX ? index : split->breaker;
	if (!fits_alone)
		return count(split, &index, 1);
	r = end_subgroup(split);
	split->subgroup[split->n++] = index;
	return r;
}

int pq_count_split(struct pq_count_session *session, const struct pq_open_group *group)
{
	struct group_split split = {
		.session = session,
		.subgroup = pq_arena_array(&session->opening.scratch, group->n,
					   sizeof(*split.subgroup)),
		.breaker = SIZE_MAX,
	};
	struct pmuq_count *leader = &session->counts->v[group->indexes[0]].record;
	int r = 0;

	if (!split.subgroup)
		return -PMUQ_E_MEMORY;
	for (size_t k = 0; k < group->n && r == 0; k++)
		r = add(&split, group->indexes[k]);
	if (r == 0)
		r = end_subgroup(&split);
	leader->n_subgroups = split.n_subgroups;
	leader->breaker = split.breaker;
	return r;
}
