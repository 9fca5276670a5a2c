/* SPDX-License-Identifier: MIT */
/*
 * A group: the leader is opened first, the members beside it while it is open, and all are closed
 * at the end, so that the kernel says whether they fit together. Knows nothing of why they do not.
 */
#include "core/cpulist.h"
#include "open/opening.h"
#include <errno.h>

struct group {
	size_t *indexes; /* of the requests, the leader's first */
	int *fds;	 /* as many; those from n_open on are not open */
	size_t n, n_open;
};

/* One place on which the whole group is opened: this task, or a CPU. */
struct place {
	int pid, cpu;
};

static void free_group(struct group *group)
{
	free(group->indexes);
	free(group->fds);
}

static bool belongs(const struct pq_opening *opening, size_t index, size_t leader)
{
	const struct pq_request *request = &opening->requests[index];

	return !opening->verdicts->v[index].is_settled && request->members > 1 &&
	       request->leader == leader;
}

/* Members stand near each other: the search ends when all have been seen. */
static bool gather(const struct pq_opening *opening, size_t index, struct group *ret)
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

static void close_all(const struct pq_opening *opening, struct group *group)
{
	while (group->n_open)
		pq_kernel_close(&opening->opener->kernel, group->fds[--group->n_open]);
}

/* 0 or -errno. */
static int open_leader(struct pq_opening *opening, struct group *group, struct place place,
		       struct pq_trial *ret_trial, uint32_t *ret_size)
{
	int fd;

	*ret_trial = pq_opening_trial(opening, group->indexes[0], place.pid, place.cpu);
	fd = pq_kernel_open(&opening->opener->kernel, ret_trial, ret_size);
	if (fd < 0)
		return fd;
	group->fds[group->n_open++] = fd;
	return 0;
}

static int open_member(struct pq_opening *opening, struct group *group, size_t k,
		       struct place place)
{
	size_t index = group->indexes[k];
	struct pq_trial trial = pq_opening_trial(opening, index, place.pid, place.cpu);
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
static int open_members(struct pq_opening *opening, struct group *group, struct place place)
{
	int r = 0;

	for (size_t k = 1; k < group->n && r >= 0; k++)
		if (!opening->verdicts->v[group->indexes[k]].is_settled)
			r = open_member(opening, group, k, place);
	return r;
}

static int open_rest_alone(struct pq_opening *opening, const struct group *group)
{
	int r = 0;

	for (size_t k = 0; k < group->n && r >= 0; k++)
		if (!opening->verdicts->v[group->indexes[k]].is_settled)
			r = pq_opening_alone(opening, group->indexes[k], PQ_NOTE_ALONE);
	return r;
}

static int settle_opened(struct pq_opening *opening, const struct group *group, const char *cpus,
			 const char *note)
{
	int r = 0;

	for (size_t k = 0; k < group->n && r >= 0; k++)
		if (!opening->verdicts->v[group->indexes[k]].is_settled)
			r = pq_opening_opened(opening, group->indexes[k], cpus, note);
	return r;
}

/* A refused leader leaves no group: the others are asked for themselves. */
static int refuse_leader(struct pq_opening *opening, const struct group *group,
			 const struct pq_trial *trial, int errnum, uint32_t kernel_size)
{
	int r = pq_diagnose(opening, group->indexes[0], trial, errnum, kernel_size);

	return r < 0 ? r : open_rest_alone(opening, group);
}

static int open_on_cpu_instead(struct pq_opening *opening, struct group *group, int *ret_answer)
{
	const struct pq_request *leader = &opening->requests[group->indexes[0]];
	struct place place = { .pid = -1, .cpu = pq_request_first_cpu(leader, STR("")) };
	struct pq_buf text = PQ_BUF_NULL;
	auto_free char *cpu = NULL;
	struct pq_trial trial;
	int r;

	*ret_answer = open_leader(opening, group, place, &trial, NULL);
	if (*ret_answer < 0)
		return 0;
	r = open_members(opening, group, place);
	close_all(opening, group);
	if (r < 0)
		return r;
	pq_buf_print(&text, "%d", place.cpu);
	cpu = pq_buf_take(&text);
	return cpu ? settle_opened(opening, group, cpu, PQ_NOTE_PER_CPU) : -PMUQ_E_MEMORY;
}

static int open_for_task(struct pq_opening *opening, struct group *group)
{
	const struct place place = { .pid = 0, .cpu = -1 };
	struct pq_trial trial;
	uint32_t kernel_size = 0;
	int answer, instead, r;

	answer = open_leader(opening, group, place, &trial, &kernel_size);
	if (answer == -EINVAL) {
		r = open_on_cpu_instead(opening, group, &instead);
		if (r < 0 || instead == 0)
			return r;
	}
	if (answer < 0)
		return refuse_leader(opening, group, &trial, -answer, kernel_size);
	r = open_members(opening, group, place);
	close_all(opening, group);
	return r < 0 ? r : settle_opened(opening, group, NULL, NULL);
}

static int open_on_cpus(struct pq_opening *opening, struct group *group, const struct pq_cpus *cpus,
			const char *list)
{
	struct place place = { .pid = -1 };
	struct pq_trial trial;
	uint32_t kernel_size = 0;
	int answer, r;

	for (unsigned cpu = pq_cpus_next(cpus, 0); cpu < PQ_CPUS_MAX;
	     cpu = pq_cpus_next(cpus, cpu + 1)) {
		place.cpu = (int)cpu;
		answer = open_leader(opening, group, place, &trial, &kernel_size);
		if (answer < 0)
			return refuse_leader(opening, group, &trial, -answer, kernel_size);
		r = open_members(opening, group, place);
		close_all(opening, group);
		if (r < 0)
			return r;
	}
	return settle_opened(opening, group, list, NULL);
}

/* The CPUs of the first member that can be opened on CPUs only decide for all; "" when none is. */
static const char *common_cpus(const struct pq_opening *opening, const struct group *group)
{
	for (size_t k = 0; k < group->n; k++)
		if (opening->requests[group->indexes[k]].needs_cpu)
			return opening->requests[group->indexes[k]].cpus;
	return "";
}

int pq_opening_group(struct pq_opening *opening, size_t index)
{
	cleanup(free_group) struct group group = { 0 };
	char room[512];
	struct pq_arena arena;
	struct pq_cpus cpus = { 0 };
	const char *list;
	int r;

	if (!gather(opening, index, &group))
		return -PMUQ_E_MEMORY;
	if (!group.n || group.indexes[0] != opening->requests[index].leader)
		return open_rest_alone(opening, &group);
	list = common_cpus(opening, &group);
	pq_arena_init(&arena, room, sizeof(room), SIZE_MAX);
	if (pq_cpus_parse(&arena, str_of(list), &cpus) && pq_cpus_count(&cpus))
		r = open_on_cpus(opening, &group, &cpus, list);
	else
		r = open_for_task(opening, &group);
	pq_arena_clear(&arena);
	return r;
}
