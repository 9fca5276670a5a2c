/* SPDX-License-Identifier: MIT */
/*
 * A group that does not fit is opened member by member: whoever does not fit beside those before it
 * begins the next part, unless it cannot be counted alone either. All of it is tried.
 */
#include "open/measure.h"

/* Long enough to see whether they get on their counters. */
#define TRY_MS 5u

struct split {
	struct pq_measure *measure;
	size_t *part; /* indexes of the requests; room for all */
	size_t n;
	size_t n_parts;
	size_t breaker;
};

static bool fits(struct split *split, const size_t *indexes, size_t n)
{
	unsigned ms = split->measure->how.work_ms;
	size_t member;

	return pq_measure_set(split->measure, indexes, n, ms < TRY_MS ? ms : TRY_MS, false,
			      &member) == 0;
}

/* What is in the part so far counts for the whole time. */
static void end_part(struct split *split)
{
	size_t member;

	if (!split->n)
		return;
	pq_measure_set(split->measure, split->part, split->n, split->measure->how.work_ms, true,
		       &member);
	for (size_t k = 0; k < split->n; k++)
		split->measure->counts->v[split->part[k]].part = split->n_parts;
	split->n_parts++;
	split->n = 0;
}

static void add(struct split *split, size_t index)
{
	size_t member;

	split->part[split->n] = index;
	if (fits(split, split->part, split->n + 1)) {
		split->n++;
		return;
	}
	split->breaker = split->breaker == SIZE_MAX ? index : split->breaker;
	if (split->n == 0 || !fits(split, &index, 1)) {
		/* Why, and what little can be seen. */
		pq_measure_set(split->measure, &index, 1, split->measure->how.work_ms, true,
			       &member);
		return;
	}
	end_part(split);
	split->part[split->n++] = index;
}

int pq_measure_split(struct pq_measure *measure, const struct pq_group *group)
{
	struct split split = { .measure = measure, .breaker = SIZE_MAX };
	struct pq_count *leader = &measure->counts->v[group->indexes[0]];
	auto_free size_t *room = calloc(group->n, sizeof(*room));

	if (!room)
		return -PMUQ_E_MEMORY;
	split.part = room;
	for (size_t k = 0; k < group->n; k++)
		add(&split, group->indexes[k]);
	end_part(&split);
	leader->n_parts = split.n_parts;
	leader->breaker = split.breaker;
	return 0;
}
