/* SPDX-License-Identifier: MIT */
/* Takes members out of groups that perf stat does not open as they are written. */
#include "encode/group/regroup.h"
#include "encode/words/generic.h"

/* With bpf-output, perf stat opens every event of the string on the CPUs of its PMU. */
static bool follows_no_task(const struct pmuq_encodings *result)
{
	for (size_t i = 0; i < result->n; i++)
		if (result->v[i].attr.type == PQ_TYPE_SOFTWARE &&
		    result->v[i].attr.config == PQ_SOFTWARE_BPF_OUTPUT)
			return true;
	return false;
}

/* The CPUs on which perf stat counts the event; empty if that follows the task to all CPUs. */
static struct pmuq_str counted_cpus(const struct pq_encoding *encoding, bool is_on_cpus)
{
	bool is_uncore = encoding->on && encoding->on->is_uncore;

	return is_on_cpus || is_uncore || encoding->is_limited ? encoding->record.cpus : STR("");
}

/* BPF programs count such an event, not its group. */
static bool is_counted_by_bpf(const struct pq_encoding *encoding)
{
	return pq_tool_term_find(&encoding->tool_terms, "bpf_counter") != NULL;
}

/* Why the member is not counted with its leader; NULL: it is. */
static const char *why_not_together(const struct pq_encoding *member,
				    const struct pq_encoding *leader, bool is_on_cpus)
{
	if (is_counted_by_bpf(member) != is_counted_by_bpf(leader))
		return "BPF counts only one of it and its leader";
	if (!str_eq(counted_cpus(member, is_on_cpus), counted_cpus(leader, is_on_cpus)))
		return "perf stat counts it on other CPUs than the leader";
	return NULL;
}

static void leave_group(struct pq_encoding *encoding, size_t index)
{
	encoding->record.leader = index;
	encoding->record.n_members = 0;
	encoding->record.group_name = STR("");
}

/* A group opens as one on each CPU, so perf stat removes the members that other CPUs count, or that
 * only one of member and leader leaves to BPF. A metric always needs its slots. */
int pq_leave_groups(const struct pq_encoder *e)
{
	struct pmuq_encodings *result = e->result;
	bool is_on_cpus = e->options->is_system_wide || follows_no_task(result);
	struct pq_encoding *left = NULL;
	const char *why = NULL, *why_left = NULL;
	struct pq_span at;

	for (size_t i = 0; i < result->n; i++) {
		struct pq_encoding *member = &result->v[i];
		struct pq_encoding *leader = &result->v[member->record.leader];

		why = why_not_together(member, leader, is_on_cpus);
		if (!why || !member->record.n_members || leader == member ||
		    pq_topdown_is_metric(member))
			continue;
		leader->record.n_members--;
		leave_group(member, i);
		why_left = left ? why_left : why;
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
	return pq_warn_at(e, left, at, PMUQ_E_REGROUPED, "'%.*s' is in no group: %s",
			  STR_ARG(left->record.name), why_left);
}
