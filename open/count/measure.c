/* SPDX-License-Identifier: MIT */
/*
 * Counts all requests, one group or event after another, so that they do not compete for counters.
 * count_set.c counts one of them. A group that does not fit is split.
 */
#include "open/count/measure.h"
#include "core/error.h"
#include "core/freep.h"
#include "open/count/count_set.h"
#include <assert.h>

/* ---- a group that does not fit */

/* Members are added one by one. A member that does not fit next to those before it begins the next
 * subgroup, unless it cannot be counted alone either. Every step is tried on the kernel. */

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

/* Stores the counts, or the reason why nothing was counted. */
static int count_part(struct group_split *split, size_t *indexes, size_t n)
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
	r = count_part(split, split->subgroup, split->n);
	for (size_t k = 0; k < split->n; k++)
		split->session->counts->v[split->subgroup[k]].record.subgroup = split->n_subgroups;
	split->n_subgroups++;
	split->n = 0;
	return r;
}

static int add_member(struct group_split *split, size_t index)
{
	bool fits_in_subgroup, fits_alone = false;
	int r;

	split->subgroup[split->n] = index;
	r = fits(split, split->subgroup, split->n + 1, &fits_in_subgroup);
	if (r < 0)
		return r;
	if (!fits_in_subgroup && split->n > 0)
		r = fits(split, &index, 1, &fits_alone);
	if (r < 0)
		return r;
	if (fits_in_subgroup) {
		split->n++;
		return 0;
	}
	split->breaker = split->breaker == SIZE_MAX ? index : split->breaker;
	if (!fits_alone)
		return count_part(split, &index, 1);
	r = end_subgroup(split);
	split->subgroup[split->n++] = index;
	return r;
}

static int count_split(struct pq_count_session *session, const struct pq_open_group *group)
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
		r = add_member(&split, group->indexes[k]);
	if (r == 0)
		r = end_subgroup(&split);
	leader->n_subgroups = split.n_subgroups;
	leader->breaker = split.breaker;
	return r;
}

/* ---- all requests */

/* None counted, none in a group. NULL: out of memory. */
static struct pmuq_counts *new_counts(size_t n)
{
	/* The list itself takes less than one more count. */
	struct pmuq_counts *counts = calloc(n + 1, sizeof(counts->v[0]));

	static_assert(sizeof(*counts) <= sizeof(counts->v[0]), "n + 1 counts are enough");
	if (!counts)
		return NULL;
	counts->n = n;
	for (size_t i = 0; i < n; i++)
		counts->v[i] = (struct pq_count){
			.record = { .size = sizeof(counts->v[i].record),
				    .status = PMUQ_NOT_COUNTED,
				    .subgroup = SIZE_MAX,
				    .breaker = SIZE_MAX },
		};
	return counts;
}

/* Gives each member of a group what its leader's record has about the group. */
static void complete(struct pmuq_counts *counts)
{
	for (size_t i = 0; i < counts->n; i++) {
		struct pmuq_count *record = &counts->v[i].record;
		const struct pmuq_count *leader = &counts->v[counts->v[i].leader].record;

		if (!record->is_grouped)
			continue;
		record->n_subgroups = leader->n_subgroups;
		record->breaker = leader->breaker;
	}
}

static int count_alone(struct pq_count_session *session, size_t index)
{
	int errnum;

	session->counts->v[index].is_final = true;
	return pq_count_set(session, &index, 1, session->options.work_ms, true, &errnum);
}

/* The group as a whole first; if that fails, in parts. */
static int count_group(struct pq_count_session *session, const struct pq_open_group *group)
{
	struct pq_count *counts = session->counts->v;
	size_t leader = group->indexes[0];
	int errnum, r;

	for (size_t k = 0; k < group->n; k++) {
		counts[group->indexes[k]].is_final = true;
		counts[group->indexes[k]].record.is_grouped = true;
		counts[group->indexes[k]].leader = leader;
	}
	r = pq_count_set(session, group->indexes, group->n, session->options.work_ms, true,
			 &errnum);
	if (r < 0)
		return r;
	if (errnum)
		return count_split(session, group);
	counts[leader].record.n_subgroups = 1;
	for (size_t k = 0; k < group->n; k++)
		counts[group->indexes[k]].record.subgroup = 0;
	return 0;
}

static int count_next(struct pq_count_session *session, size_t index)
{
	const struct pq_open_request *request = &session->opening.requests[index];
	struct pq_open_group group;
	int r;

	if (session->counts->v[index].is_final || pq_open_skip_reason(request))
		return 0;
	if (request->members <= 1)
		return count_alone(session, index);
	r = pq_open_group_find(&session->opening, index, &group);
	if (r == 0 && group.has_leader)
		return count_group(session, &group);
	for (size_t k = 0; k < group.n && r == 0; k++)
		r = count_alone(session, group.indexes[k]);
	return r;
}

int pq_count_requests(const struct pq_opener *opener, const struct pq_open_request *requests,
		      size_t n, const struct pmuq_open_options *options, struct pmuq_counts **ret,
		      struct pmuq_error **reterr)
{
	cleanup(pmuq_counts_freep) struct pmuq_counts *counts = new_counts(n);
	struct pq_count_session session = {
		.opening = { .opener = opener, .requests = requests, .n = n },
		.options = *options,
		.counts = counts,
	};
	int r = 0;

	if (!counts)
		return pq_fail_memory(reterr);
	pq_open_session_begin(&session.opening);
	for (size_t i = 0; i < n && r == 0; i++)
		r = count_next(&session, i);
	r = pq_open_session_end(&session.opening, r);
	if (r < 0)
		return pq_fail_memory(reterr);
	complete(counts);
	*ret = move(counts);
	return 0;
}

/* ---- API */

PQ_API void pmuq_counts_free(struct pmuq_counts *counts)
{
	free(counts);
}

PQ_API size_t pmuq_counts_count(const struct pmuq_counts *counts)
{
	return counts ? counts->n : 0;
}

PQ_API const struct pmuq_count *pmuq_counts_get(const struct pmuq_counts *counts, size_t index)
{
	return counts && index < counts->n ? &counts->v[index].record : NULL;
}

PQ_API const char *pmuq_counting_name(enum pmuq_counting status)
{
	static const char *const names[] = {
		[PMUQ_COUNTED] = "counted",	    [PMUQ_MULTIPLEXED] = "multiplexed",
		[PMUQ_ALWAYS_ZERO] = "always-zero", [PMUQ_NEVER_SCHEDULED] = "never-scheduled",
		[PMUQ_TARGET_IDLE] = "target-idle", [PMUQ_NOT_COUNTED] = "not-counted",
	};

	return (size_t)status < COUNT(names) ? names[status] : NULL;
}
