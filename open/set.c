/* SPDX-License-Identifier: MIT */
#include "open/set.h"
#include "open/times.h"
#include <errno.h>

static struct pq_trial counting_trial(const struct pq_set *set, size_t member,
				      struct pq_place place)
{
	struct pq_trial trial = pq_opening_trial(set->opening, set->indexes[member], place);

	trial.attr.read_format = set->read_format;
	trial.attr.sigtrap = 0; /* nobody here expects the signal */
	return trial;
}

static int open_one(struct pq_set *set, size_t member, struct pq_place place, int leader_fd)
{
	struct pq_trial trial = counting_trial(set, member, place);
	int fd;

	trial.group_fd = leader_fd;
	fd = pq_kernel_open(&set->opening->opener->kernel, &trial, NULL);
	if (fd < 0)
		return fd;
	set->fds[set->n_fds++] = fd;
	return 0;
}

static int open_in(struct pq_set *set, struct pq_place place, size_t *ret_member)
{
	size_t first = set->n_fds;
	int r = 0;

	for (size_t k = 0; k < set->n && r == 0; k++) {
		*ret_member = k;
		r = open_one(set, k, place, k ? set->fds[first] : -1);
	}
	return r;
}

static bool make_room(struct pq_set *set)
{
	size_t n_places = pq_places_count(&set->places);

	free(set->fds);
	set->fds = calloc(n_places * set->n, sizeof(*set->fds));
	return set->fds != NULL;
}

static int open_everywhere(struct pq_set *set, size_t *ret_member)
{
	struct pq_place place = { 0 };
	int r = make_room(set) ? 0 : -ENOMEM;

	while (r == 0 && pq_places_next(&set->places, &place))
		r = open_in(set, place, ret_member);
	return r;
}

/* What counts per CPU only, and has no file that says so, was test-opened on one CPU, too. */
static int open_per_cpu(struct pq_set *set, const struct pq_request *decider, size_t *ret_member)
{
	int cpu = pq_request_first_cpu(decider, STR(""));

	if (!pq_places_put_on(set->opening, cpu, &set->places))
		return -ENOMEM;
	return open_everywhere(set, ret_member);
}

int pq_set_open(struct pq_set *set, const struct pq_request *decider, size_t *ret_member)
{
	const struct pq_place task = { .cpu = -1 };
	size_t member = 0;
	int r, again;

	*ret_member = 0;
	if (!pq_places_find(set->opening, decider->needs_cpu, decider->cpus, &set->places))
		return -ENOMEM;
	r = open_everywhere(set, ret_member);
	if (set->places.is_task && set->n_fds == 0 &&
	    pq_opening_may_be_per_cpu(set->opening, task, r)) {
		again = open_per_cpu(set, decider, &member);
		*ret_member = again == 0 ? 0 : *ret_member;
		r = again == 0 ? 0 : r;
	}
	if (r < 0)
		pq_set_close(set);
	return r;
}

void pq_set_close(struct pq_set *set)
{
	while (set->n_fds)
		pq_kernel_close(&set->opening->opener->kernel, set->fds[--set->n_fds]);
	free(set->fds);
	set->fds = NULL;
}

int pq_set_switch(const struct pq_set *set, enum pq_switch to)
{
	const struct pq_kernel *kernel = &set->opening->opener->kernel;
	int first = 0, r;

	for (size_t i = 0; i < set->n_fds; i += set->n) {
		r = kernel->switch_event(kernel->self, set->fds[i], to);
		first = first ? first : r;
	}
	return first;
}

int pq_set_read(const struct pq_set *set, size_t member, struct pmuq_reading *ret)
{
	const struct pq_kernel *kernel = &set->opening->opener->kernel;
	struct pq_times times;
	int r;

	*ret = (struct pmuq_reading){ .size = sizeof(*ret) };
	for (size_t i = member; i < set->n_fds; i += set->n) {
		r = kernel->read_event(kernel->self, set->fds[i], &times);
		if (r < 0)
			return r;
		pq_reading_add(ret, &times);
	}
	return 0;
}
