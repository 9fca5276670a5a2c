/* SPDX-License-Identifier: MIT */
/*
 * A group that does not fit is opened member by member: whoever does not fit beside those before it
 * begins the next part, unless it cannot be counted alone either. All of it is tried.
 */
#include "open/count/measure.h"

/* Long enough to see whether they get on their counters. */
#define TRY_MS 5u

struct split {
	struct pq_measure *measure;
	size_t *part; /* indexes of the requests; room for all */
	size_t n;
	size_t n_parts;
	size_t breaker;
};

static int fits(struct split *split, const size_t *indexes, size_t n, bool *ret_fits)
{
	unsigned ms = split->measure->how.work_ms;
	int answer;
	int r = pq_measure_set(split->measure, indexes, n, ms < TRY_MS ? ms : TRY_MS, false,
			       &answer);

	*ret_fits = r == 0 && answer == 0;
	return r;
}

/* Whatever comes of it. */
static int count(struct split *split, const size_t *indexes, size_t n)
{
	int answer;

	return pq_measure_set(split->measure, indexes, n, split->measure->how.work_ms, true,
			      &answer);
}

/* What is in the part so far counts for the whole time. */
static int end_part(struct split *split)
{
	int r;

	if (!split->n)
		return 0;
	r = count(split, split->part, split->n);
	for (size_t k = 0; k < split->n; k++)
		split->measure->counts->v[split->part[k]].part = split->n_parts;
	split->n_parts++;
	split->n = 0;
	return r;
}

/* Beside those before it, or else alone? */
static int try_to_add(struct split *split, size_t index, bool *ret_fits, bool *ret_fits_alone)
{
	int r;

	split->part[split->n] = index;
	*ret_fits_alone = false;
	r = fits(split, split->part, split->n + 1, ret_fits);
	if (r < 0 || *ret_fits || split->n == 0)
		return r;
	return fits(split, &index, 1, ret_fits_alone);
}

static int add(struct split *split, size_t index)
{
	bool fits_beside, fits_alone;
	int r = try_to_add(split, index, &fits_beside, &fits_alone);

	if (r < 0)
		return r;
	if (fits_beside) {
		split->n++;
		return 0;
	}
	split->breaker = split->breaker == SIZE_MAX ? index : split->breaker;
	/* Why, and what little can be seen. */
	if (!fits_alone)
		return count(split, &index, 1);
	r = end_part(split);
	split->part[split->n++] = index;
	return r;
}

int pq_measure_split(struct pq_measure *measure, const struct pq_group *group)
{
	struct split split = { .measure = measure, .breaker = SIZE_MAX };
	struct pq_count *leader = &measure->counts->v[group->indexes[0]];
	auto_free size_t *room = calloc(group->n, sizeof(*room));
	int r = 0;

	if (!room)
		return -PMUQ_E_MEMORY;
	split.part = room;
	for (size_t k = 0; k < group->n && r == 0; k++)
		r = add(&split, group->indexes[k]);
	if (r == 0)
		r = end_part(&split);
	leader->n_parts = split.n_parts;
	leader->breaker = split.breaker;
	return r;
}
