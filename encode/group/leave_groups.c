/* SPDX-License-Identifier: MIT */
/* Takes members out of groups that perf stat does not open as they are written. */
#include "encode/group/regroup.h"

/* The CPUs on which perf stat counts the event; empty if that follows the task to all CPUs. */
static struct pmuq_str counted_cpus(const struct pq_encoding *encoding)
{
	bool is_uncore = encoding->on && encoding->on->is_uncore;

	return is_uncore || encoding->is_limited ? encoding->record.cpus : STR("");
}

static void leave_group(struct pq_encoding *encoding, size_t index)
{
	encoding->record.leader = index;
	encoding->record.n_members = 0;
	encoding->record.group_name = STR("");
}

/* A group opens as one on each CPU, so perf stat removes the members that other CPUs count. A
 * metric always needs its slots. */
int pq_leave_groups(const struct pq_encoder *e)
{
	struct pmuq_encodings *result = e->result;
	struct pq_encoding *left = NULL;
	struct pq_span at;

	for (size_t i = 0; i < result->n; i++) {
		struct pq_encoding *member = &result->v[i];
		struct pq_encoding *leader = &result->v[member->record.leader];

		if (!member->record.n_members || leader == member || pq_topdown_is_metric(member) ||
		    str_eq(counted_cpus(member), counted_cpus(leader)))
			continue;
		leader->record.n_members--;
		leave_group(member, i);
		left = left ? left : member;
	}
	for (size_t i = 0; left && i < result->n; i++)
		if (result->v[i].record.n_members) {
			result->v[i].record.n_members =
				result->v[result->v[i].record.leader].record.n_members;
			if (result->v[i].record.n_members == 1)
				leave_group(&result->v[i], i);
		}
	if (!left)
		return 0;
	at = (struct pq_span){ .offset = (uint32_t)left->record.offset,
			       .length = (uint32_t)left->record.length };
	return pq_warn_at(
		e, left, at, PMUQ_E_REGROUPED,
		"'%.*s' is in no group: perf stat counts it on other CPUs than the leader",
		STR_ARG(left->record.name));
}
