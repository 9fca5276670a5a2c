/* SPDX-License-Identifier: MIT */
/*
 * A group: the leader is opened first, the members beside it while it is open, and all are closed
 * at the end, so that the kernel says whether they fit together. Knows nothing of why they do not.
 */
#include "open/opening.h"
#include <errno.h>

void pq_group_free(struct pq_group *group)
{
	free(group->indexes);
	free(group->fds);
}

static bool belongs(const struct pq_opening *opening, size_t index, size_t leader)
{
	const struct pq_request *request = &opening->requests[index];

	if (opening->verdicts && opening->verdicts->v[index].is_settled)
		return false;
	return request->members > 1 && request->leader == leader &&
	       !pq_request_reason_to_skip(request);
}

/* Members stand near each other: the search ends when all have been seen. */
bool pq_group_gather(const struct pq_opening *opening, size_t index, struct pq_group *ret)
{
	size_t leader = opening->requests[index].leader;
	size_t n = opening->requests[index].members;

	n = n < opening->n ? n : opening->n;
	ret->indexes = calloc(n, sizeof(*ret->indexes));
	ret->fds = calloc(n, sizeof(*ret->fds));
	if (!ret->indexes || !ret->fds)
		return false;
	if (leader < opening->n && belongs(opening, leader, leader))
		ret->indexes[ret->n++] = leader;
	for (size_t i = index; i < opening->n && ret->n < n; i++)
		if (i != leader && belongs(opening, i, leader))
			ret->indexes[ret->n++] = i;
	return true;
}

static void close_all(const struct pq_opening *opening, struct pq_group *group)
{
	while (group->n_open)
		pq_kernel_close(&opening->opener->kernel, group->fds[--group->n_open]);
}

/* 0 or -errno. */
static int open_leader(struct pq_opening *opening, struct pq_group *group, struct pq_place place,
		       struct pq_trial *ret_trial, uint32_t *ret_size)
{
	int fd;

	*ret_trial = pq_opening_trial(opening, group->indexes[0], place);
	fd = pq_kernel_open(&opening->opener->kernel, ret_trial, ret_size);
	if (fd < 0)
		return fd;
	group->fds[group->n_open++] = fd;
	return 0;
}

static int open_member(struct pq_opening *opening, struct pq_group *group, size_t k,
		       struct pq_place place)
{
	size_t index = group->indexes[k];
	struct pq_trial trial = pq_opening_trial(opening, index, place);
	uint32_t kernel_size = 0;
	int fd;

	trial.group_fd = group->fds[0];
	fd = pq_kernel_open(&opening->opener->kernel, &trial, &kernel_size);
	if (fd < 0)
		return pq_diagnose(opening, index, &trial, -fd, kernel_size);
	group->fds[group->n_open++] = fd;
	return 0;
}

/* The leader is open. Whoever was refused on an earlier CPU is not tried again. */
static int open_members(struct pq_opening *opening, struct pq_group *group, struct pq_place place)
{
	int r = 0;

	for (size_t k = 1; k < group->n && r >= 0; k++)
		if (!opening->verdicts->v[group->indexes[k]].is_settled)
			r = open_member(opening, group, k, place);
	return r;
}

static int open_rest_alone(struct pq_opening *opening, const struct pq_group *group)
{
	int r = 0;

	for (size_t k = 0; k < group->n && r >= 0; k++)
		if (!opening->verdicts->v[group->indexes[k]].is_settled)
			r = pq_opening_alone(opening, group->indexes[k], PQ_NOTE_ALONE);
	return r;
}

/* A refused leader leaves no group: the others are asked for themselves. */
static int refuse_leader(struct pq_opening *opening, const struct pq_group *group,
			 const struct pq_trial *trial, int errnum, uint32_t kernel_size)
{
	int r = pq_diagnose(opening, group->indexes[0], trial, errnum, kernel_size);

	return r < 0 ? r : open_rest_alone(opening, group);
}

static int open_on_cpu_instead(struct pq_opening *opening, struct pq_group *group, bool *ret_opens)
{
	const struct pq_request *leader = &opening->requests[group->indexes[0]];
	struct pq_place place = { .pid = -1, .cpu = pq_request_first_cpu(leader, STR("")) };
	struct pq_trial trial;
	int r;

	*ret_opens = open_leader(opening, group, place, &trial, NULL) == 0;
	if (!*ret_opens)
		return 0;
	r = open_members(opening, group, place);
	close_all(opening, group);
	for (size_t k = 0; k < group->n && r >= 0; k++)
		if (!opening->verdicts->v[group->indexes[k]].is_settled)
			r = pq_opening_opened_per_cpu(opening, group->indexes[k], place.cpu);
	return r;
}

/* True in *ret_over: there is no other place to go to. */
static int open_in(struct pq_opening *opening, struct pq_group *group, struct pq_place place,
		   bool *ret_over)
{
	struct pq_trial trial;
	uint32_t kernel_size = 0;
	int answer, r;

	answer = open_leader(opening, group, place, &trial, &kernel_size);
	*ret_over = answer < 0;
	if (pq_opening_may_be_per_cpu(opening, place, answer)) {
		bool opens;

		r = open_on_cpu_instead(opening, group, &opens);
		if (r < 0 || opens)
			return r;
	}
	if (answer < 0)
		return refuse_leader(opening, group, &trial, -answer, kernel_size);
	r = open_members(opening, group, place);
	close_all(opening, group);
	return r;
}

static int open_everywhere(struct pq_opening *opening, struct pq_group *group,
			   const struct pq_places *places)
{
	struct pq_place place = { 0 };
	bool is_over = false;
	int r = 0;

	while (r >= 0 && !is_over && pq_places_next(places, &place))
		r = open_in(opening, group, place, &is_over);
	for (size_t k = 0; k < group->n && r >= 0; k++)
		if (!opening->verdicts->v[group->indexes[k]].is_settled)
			r = pq_opening_opened(opening, group->indexes[k], places, NULL);
	return r;
}

const struct pq_request *pq_group_decider(const struct pq_opening *opening, const size_t *indexes,
					  size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (opening->requests[indexes[k]].needs_cpu)
			return &opening->requests[indexes[k]];
	return &opening->requests[indexes[0]];
}

int pq_opening_group(struct pq_opening *opening, size_t index)
{
	cleanup(pq_group_free) struct pq_group group = { 0 };
	const struct pq_request *request;
	struct pq_places places;

	if (!pq_group_gather(opening, index, &group))
		return -PMUQ_E_MEMORY;
	if (!group.n || group.indexes[0] != opening->requests[index].leader)
		return open_rest_alone(opening, &group);
	request = pq_group_decider(opening, group.indexes, group.n);
	if (!pq_places_find(opening, request->needs_cpu, request->cpus, &places))
		return -PMUQ_E_MEMORY;
	return open_everywhere(opening, &group, &places);
}
