/* SPDX-License-Identifier: MIT */
/*
 * Opening to stay open. Each group is opened at once; only where that fails is it gone through as a
 * test-open does, which finds out who is refused and why, and then what is left of it is kept.
 */
#include "open/count/event_set.h"
#include "open/diagnose/reasons.h"
#include "open/kept.h"
#include "open/opening.h"

struct keeping {
	struct pq_opening opening;
	struct pmuq_opened *opened;
};

static bool note_cpus(const struct pq_set *set, struct pq_kept *kept)
{
	struct pq_place place = { 0 };
	size_t i = 0;

	kept->cpus = calloc(kept->n_places, sizeof(*kept->cpus));
	while (kept->cpus && pq_places_next(&set->places, &place))
		kept->cpus[i++] = place.cpu;
	return kept->cpus != NULL;
}

static bool note_ids(const struct pq_set *set, struct pq_kept *kept)
{
	const struct pq_kernel *kernel = &set->opening->opener->kernel;

	kept->ids = calloc(set->n_fds, sizeof(*kept->ids));
	for (size_t i = 0; kept->ids && i < set->n_fds; i++)
		if (kernel->id_of(kernel->self, set->fds[i], &kept->ids[i]) < 0)
			kept->ids[i] = 0;
	return kept->ids != NULL;
}

/* Takes the descriptors over, unless there is no memory for that. */
static int take_over(struct keeping *keeping, struct pq_set *set)
{
	struct pmuq_opened *opened = keeping->opened;
	struct pq_kept *kept = &opened->sets[opened->n_sets];

	*kept = (struct pq_kept){ .n = set->n, .n_places = set->n_fds / set->n };
	kept->zeros = calloc(set->n_fds, sizeof(*kept->zeros));
	if (!kept->zeros || !note_cpus(set, kept) || !note_ids(set, kept)) {
		free(kept->zeros);
		free(kept->cpus);
		return -PMUQ_E_MEMORY;
	}
	kept->fds = move(set->fds);
	set->n_fds = 0;
	for (size_t k = 0; k < set->n; k++)
		opened->index[set->indexes[k]] = (struct pq_kept_index){ opened->n_sets, k };
	for (size_t k = 0; k < set->n; k++)
		kept->is_inherited |= set->opening->requests[set->indexes[k]].attr->inherit;
	opened->n_sets++;
	return 0;
}

/* Opens them and keeps them: 0 or -PMUQ_E_MEMORY. What is refused stays in the set. */
static int keep_set(struct keeping *keeping, const size_t *indexes, size_t n, struct pq_set *ret)
{
	int r;

	*ret = (struct pq_set){
		.opening = &keeping->opening,
		.indexes = indexes,
		.n = n,
		.read_format = n > 1 ? PQ_READ_GROUP : PQ_READ_TIMES,
	};
	r = pq_set_open(ret, pq_group_decider(&keeping->opening, indexes, n));
	if (r < 0 || ret->refusal.answer < 0)
		return r;
	for (size_t k = 0; k < n && r == 0; k++)
		if (!keeping->opening.verdicts->v[indexes[k]].is_settled)
			r = pq_opening_opened(&keeping->opening, indexes[k], &ret->places, NULL);
	return r < 0 ? r : take_over(keeping, ret);
}

/* As long as nothing is refused. */
static int keep_whole(struct keeping *keeping, const size_t *indexes, size_t n, bool *ret_kept)
{
	cleanup(pq_set_close) struct pq_set set = { 0 };
	int r = keep_set(keeping, indexes, n, &set);

	*ret_kept = r == 0 && set.refusal.answer == 0;
	return r;
}

/* It was settled as opened: what the kernel says now is the verdict. */
static int take_back(struct keeping *keeping, struct pq_set *set)
{
	const struct pq_refusal *refusal = &set->refusal;
	int errnum = -refusal->answer;

	/* Where descriptors are used up, the look at the host takes one of these. */
	if (!pq_reason_is_about_event(errnum))
		pq_set_close(set);
	return pq_diagnose(&keeping->opening, set->indexes[refusal->member], &refusal->trial,
			   errnum, refusal->kernel_size);
}

/* In *ret_refused which of them is taken back; n: they are kept. */
static int keep_settled(struct keeping *keeping, const size_t *indexes, size_t n,
			size_t *ret_refused)
{
	cleanup(pq_set_close) struct pq_set set = { 0 };
	int r = keep_set(keeping, indexes, n, &set);

	*ret_refused = n;
	if (r < 0 || set.refusal.answer == 0)
		return r;
	*ret_refused = set.refusal.member;
	return take_back(keeping, &set);
}

static int keep_alone(struct keeping *keeping, size_t index)
{
	size_t refused;
	bool is_kept;
	int r = keep_whole(keeping, &index, 1, &is_kept);

	if (r < 0 || is_kept)
		return r;
	r = pq_opening_alone(&keeping->opening, index, NULL);
	if (r < 0 || keeping->opening.verdicts->v[index].status != PMUQ_OPENED)
		return r;
	return keep_settled(keeping, &index, 1, &refused);
}

/* Their leader was refused: what was settled of them as of a group is so no more. */
static int keep_each(struct keeping *keeping, const struct pq_group *group)
{
	struct pq_verdict *verdicts = keeping->opening.verdicts->v;
	int r = 0;

	for (size_t k = 0; k < group->n && r == 0; k++) {
		verdicts[group->indexes[k]].is_settled = false;
		r = keep_alone(keeping, group->indexes[k]);
		if (verdicts[group->indexes[k]].status == PMUQ_OPENED)
			verdicts[group->indexes[k]].hint = PQ_NOTE_ALONE;
	}
	return r;
}

static void leave_out(struct pq_group *group, size_t k)
{
	group->n--;
	memmove(&group->indexes[k], &group->indexes[k + 1],
		(group->n - k) * sizeof(*group->indexes));
}

/* Of a group that was gone through, those that opened; without whom that is taken back of. */
static int keep_rest(struct keeping *keeping, struct pq_group *group, size_t leader)
{
	const struct pq_verdict *verdicts = keeping->opening.verdicts->v;
	size_t n = 0, refused;
	int r;

	for (size_t k = 0; k < group->n; k++)
		if (verdicts[group->indexes[k]].status == PMUQ_OPENED)
			group->indexes[n++] = group->indexes[k];
	group->n = n;
	while (group->n && group->indexes[0] == leader) {
		r = keep_settled(keeping, group->indexes, group->n, &refused);
		if (r < 0 || refused == group->n)
			return r;
		leave_out(group, refused);
	}
	return keep_each(keeping, group);
}

static int keep_group(struct keeping *keeping, size_t index)
{
	cleanup(pq_group_free) struct pq_group group = { 0 };
	size_t leader = keeping->opening.requests[index].leader;
	bool is_kept = false;
	int r = 0;

	if (!pq_group_gather(&keeping->opening, index, &group))
		return -PMUQ_E_MEMORY;
	if (group.n && group.indexes[0] == leader)
		r = keep_whole(keeping, group.indexes, group.n, &is_kept);
	if (r < 0 || is_kept)
		return r;
	r = pq_opening_group(&keeping->opening, index);
	return r < 0 ? r : keep_rest(keeping, &group, leader);
}

static int keep_all(struct keeping *keeping)
{
	const struct pq_opening *opening = &keeping->opening;
	const char *reason;
	int r = 0;

	for (size_t i = 0; i < opening->n; i++) {
		reason = pq_request_reason_to_skip(&opening->requests[i]);
		if (reason)
			pq_verdict_skipped(&opening->verdicts->v[i], reason);
	}
	for (size_t i = 0; i < opening->n && r == 0; i++) {
		if (opening->verdicts->v[i].is_settled)
			continue;
		r = opening->requests[i].members > 1 ? keep_group(keeping, i)
						     : keep_alone(keeping, i);
	}
	return r;
}

/* What reading needs, so that it allocates nothing. */
static bool make_room(struct pmuq_opened *opened)
{
	size_t largest = 1, n = 0;

	for (size_t i = 0; i < opened->n_sets; i++) {
		struct pq_kept *kept = &opened->sets[i];

		kept->first_sum = n;
		n += kept->n;
		largest = kept->n > largest ? kept->n : largest;
	}
	opened->room = calloc(1, sizeof(*opened->room) + largest * sizeof(opened->room->v[0]));
	opened->sums = calloc(n ? n : 1, sizeof(*opened->sums));
	return opened->room && opened->sums;
}

static struct pmuq_opened *new_opened(const struct pq_opener *opener, size_t n)
{
	struct pmuq_opened *opened = calloc(1, sizeof(*opened));

	if (!opened)
		return NULL;
	opened->kernel = opener->kernel;
	opened->n = n;
	opened->verdicts = pq_verdicts_new(n);
	opened->sets = calloc(n ? n : 1, sizeof(*opened->sets));
	opened->index = calloc(n ? n : 1, sizeof(*opened->index));
	if (!opened->verdicts || !opened->sets || !opened->index)
		pq_openedp_free(&opened);
	for (size_t i = 0; opened && i < n; i++)
		opened->index[i].set = SIZE_MAX;
	return opened;
}

int pq_keep_requests(const struct pq_opener *opener, const struct pq_request *requests, size_t n,
		     struct pmuq_opened **ret, struct pmuq_error **reterr)
{
	cleanup(pq_openedp_free) struct pmuq_opened *opened = new_opened(opener, n);
	struct keeping keeping = {
		.opening = { .opener = opener, .requests = requests, .n = n },
		.opened = opened,
	};
	int r;

	if (!opened)
		return pq_fail_memory(reterr);
	keeping.opening.verdicts = opened->verdicts;
	pq_arena_init(&keeping.opening.scratch, NULL, 0, PQ_SCRATCH_BYTES_MAX);
	r = keep_all(&keeping);
	pq_arena_clear(&keeping.opening.scratch);
	if (r < 0 || !make_room(opened))
		return pq_fail_memory(reterr);

	*ret = move(opened);
	return 0;
}
