/* SPDX-License-Identifier: MIT */
#include "watch/announced.h"

#define ANNOUNCEMENTS_MAX 64u
#define NAMES_MAX_BYTES ((size_t)64 * 1024)

void pq_announcements_init(struct pq_announcements *list)
{
	*list = (struct pq_announcements){ .arena = PQ_ARENA(NAMES_MAX_BYTES) };
}

void pq_announcements_clear(struct pq_announcements *list)
{
	pq_arena_clear(&list->arena);
	pq_announcements_init(list);
}

static bool is_noted(const struct pq_announcements *list, const struct pq_announced *announced)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].cause == announced->cause &&
		    str_eq(list->v[i].name, announced->name) &&
		    str_eq(list->v[i].action, announced->action))
			return true;
	return false;
}

void pq_announcements_add(struct pq_announcements *list, const struct pq_announced *announced)
{
	struct pmuq_announcement *announcement;
	struct pmuq_str name, action;

	if (list->n == ANNOUNCEMENTS_MAX || is_noted(list, announced))
		return;
	name = pq_arena_str(&list->arena, announced->name);
	action = pq_arena_str(&list->arena, announced->action);
	announcement = name.p && action.p ? pq_vec_add_in(&list->arena, list) : NULL;
	if (announcement)
		*announcement = (struct pmuq_announcement){
			.size = sizeof(*announcement),
			.cause = announced->cause,
			.action = action,
			.name = name,
		};
}
