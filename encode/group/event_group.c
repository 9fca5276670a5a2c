/* SPDX-License-Identifier: MIT */
/* {a,b}:S: sets the leader and applies the group's modifiers to each member. */
#include "encode/attr/apply.h"
#include "encode/group/group.h"

int pq_group(const struct pq_encoder *e, const struct pq_item *item, size_t first)
{
	struct pq_modifiers modifiers;
	struct pmuq_str name = pq_arena_str(e->arena, item->name);
	size_t n = e->result->n - first;
	int r = pq_modifiers_parse(item->modifiers, item->modifiers_at, true, &modifiers,
				   e->reterr);

	if (r == 0 && !name.p)
		r = pq_fail_memory(e->reterr);
	for (size_t i = 0; r == 0 && i < n; i++) {
		struct pq_encoding *member = &e->result->v[first + i];

		r = pq_apply_modifiers(e, &modifiers, i ? PQ_OF_MEMBERS_GROUP : PQ_OF_LEADERS_GROUP,
				       member);
		member->record.leader = first;
		member->record.n_members = n > 1 ? n : 0;
		member->record.group_name = name;
	}
	return r;
}
