/* SPDX-License-Identifier: MIT */
/*
 * Counts all requests, one group or event after another, so that they do not compete for counters.
 * count_set.c counts one of them, split_group.c a group that does not fit.
 */
#include "open/count/measure.h"
#include "core/error.h"
#include "core/freep.h"
#include "open/count/count_set.h"
#include "open/count/split_group.h"

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
		return pq_count_split(session, group);
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
		      size_t n, const struct pq_count_options *options, struct pmuq_counts **ret,
		      struct pmuq_error **reterr)
{
	cleanup(pmuq_counts_freep) struct pmuq_counts *counts = pq_counts_new(n);
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
	pq_open_session_end(&session.opening);
	if (r < 0)
		return pq_fail_memory(reterr);
	pq_counts_complete(counts);
	*ret = move(counts);
	return 0;
}
