/* SPDX-License-Identifier: MIT */
#include "open/count/event_set.h"
#include "open/count/times.h"

static struct pq_trial counting_trial(const struct pq_set *set, size_t member,
				      struct pq_place place)
{
	struct pq_trial trial = pq_opening_trial(set->opening, set->indexes[member], place);

	trial.attr.read_format = set->read_format;
	trial.attr.sigtrap = 0; /* nobody here expects the signal */
	return trial;
}

/* Whether it opens. */
static bool open_one(struct pq_set *set, size_t member, struct pq_place place, int leader_fd)
{
	struct pq_refusal refusal = { .member = member };
	int fd;

	refusal.trial = counting_trial(set, member, place);
	refusal.trial.group_fd = leader_fd;
	fd = pq_kernel_open(&set->opening->opener->kernel, &refusal.trial, &refusal.kernel_size);
	if (fd < 0) {
		refusal.answer = fd;
		set->refusal = refusal;
		return false;
	}
	set->fds[set->n_fds++] = fd;
	return true;
}

static bool open_in(struct pq_set *set, struct pq_place place)
{
	size_t first = set->n_fds;
	bool opens = true;

	for (size_t k = 0; k < set->n && opens; k++)
		opens = open_one(set, k, place, k ? set->fds[first] : -1);
	return opens;
}

static int open_everywhere(struct pq_set *set)
{
	struct pq_place place = { 0 };
	bool opens = true;

	set->refusal = (struct pq_refusal){ 0 };
	set->fds = calloc(pq_places_count(&set->places) * set->n, sizeof(*set->fds));
	if (!set->fds)
		return -PMUQ_E_MEMORY;
	while (opens && pq_places_next(&set->places, &place))
		opens = open_in(set, place);
	return 0;
}

/* What counts per CPU only, and has no file that says so, was test-opened on one CPU, too. Where
 * that is refused as well, the refusal for the task stands. */
static int open_per_cpu(struct pq_set *set, const struct pq_request *decider)
{
	const struct pq_refusal first = set->refusal;
	int cpu = pq_request_first_cpu(decider, STR(""));
	int r;

	pq_set_close(set);
	if (!pq_places_put_on(set->opening, cpu, &set->places))
		return -PMUQ_E_MEMORY;
	r = open_everywhere(set);
	if (r == 0 && set->refusal.answer < 0) {
		pq_set_close(set);
		set->refusal = first;
	}
	return r;
}

int pq_set_open(struct pq_set *set, const struct pq_request *decider)
{
	const struct pq_place task = { .cpu = -1 };
	int r;

	if (!pq_places_find(set->opening, decider->needs_cpu, decider->cpus, &set->places))
		return -PMUQ_E_MEMORY;
	r = open_everywhere(set);
	if (r == 0 && set->places.is_task && set->n_fds == 0 &&
	    pq_opening_may_be_per_cpu(set->opening, task, set->refusal.answer))
		r = open_per_cpu(set, decider);
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
