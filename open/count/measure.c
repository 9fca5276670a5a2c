/* SPDX-License-Identifier: MIT */
#include "open/count/measure.h"
#include "open/count/busy_work.h"
#include "open/count/counter_page.h"
#include <errno.h>

/* Below this share of the time (in thousandths) it was not the enabling alone that took it. */
#define WHOLE_PER_MILLE 999

/* Events of the root cgroup count without a time (seen on Linux 6.18). */
static enum pmuq_counting judge(const struct pmuq_reading *reading)
{
	double share = (double)reading->time_running_ns * 1000;

	if (!reading->time_enabled_ns)
		return reading->value ? PMUQ_COUNTED : PMUQ_TARGET_IDLE;
	if (!reading->time_running_ns)
		return PMUQ_NEVER_SCHEDULED;
	if (!reading->value)
		return PMUQ_ALWAYS_ZERO;
	return share < (double)reading->time_enabled_ns * WHOLE_PER_MILLE ? PMUQ_MULTIPLEXED
									  : PMUQ_COUNTED;
}

/* In this thread, on the CPUs that are counted, unless somebody else is counted. */
static void work(struct pq_measure *measure, const struct pq_set *set,
		 const struct pq_request *request, unsigned ms)
{
	const struct pq_kernel *kernel = &measure->opening.opener->kernel;
	const struct pq_target *target = &measure->opening.opener->target;
	char room[PQ_CPUS_BYTES];
	struct pq_arena arena;
	struct pq_cpus own;
	struct pq_work todo = {
		.ms = ms,
		.is_waiting = target->pid > 0 || target->cgroup,
		.visits_each = !set->places.is_task,
		.cpus = &set->places.cpus,
	};

	pq_arena_init(&arena, room, sizeof(room), 0);
	if (set->places.is_task)
		todo.cpus = pq_cpus_parse(&arena, str_of(request->cpus), &own) ? &own : NULL;
	kernel->work(kernel->self, &todo);
}

static const char *why_not_mapped(int errnum, bool is_inherited)
{
	if (errnum == EINVAL && is_inherited)
		return "an event that its task's children inherit cannot be mapped";
	if (errnum == EPERM)
		return "more memory than kernel.perf_event_mlock_kb and the limit of locked memory "
		       "allow would be mapped";
	return "the kernel does not map the page of this event";
}

/* While it counts. Only this thread's own counter can be read without the kernel. */
static void look_at_page(struct pq_measure *measure, const struct pq_set *set, size_t member)
{
	const struct pq_kernel *kernel = &measure->opening.opener->kernel;
	struct pq_count *count = &measure->counts->v[set->indexes[member]];
	const struct pmuq_attr *attr = measure->opening.requests[set->indexes[member]].attr;
	bool is_own = set->places.is_task && !set->places.target.pid;
	const void *page;
	int r = kernel->map_page(kernel->self, set->fds[member], &page);

	count->has_page = true;
	count->page = (struct pmuq_page){ .size = sizeof(count->page), .errnum = -r };
	if (r < 0) {
		count->page_reason = why_not_mapped(-r, attr->inherit);
		return;
	}
	count->page_reason = pq_page_read(page, kernel->registers, is_own, &count->page);
	kernel->unmap_page(kernel->self, page);
}

static int count(struct pq_measure *measure, const struct pq_set *set,
		 const struct pq_request *request, unsigned ms, bool keeps)
{
	int r = pq_set_switch(set, PQ_SWITCH_ON);

	if (r < 0)
		return r;
	work(measure, set, request, ms);
	for (size_t k = 0; keeps && measure->how.wants_page && k < set->n; k++)
		look_at_page(measure, set, k);
	return pq_set_switch(set, PQ_SWITCH_OFF);
}

/* A pinned event that lost its counter cannot even be read. */
static int read_one(const struct pq_set *set, size_t member, struct pmuq_reading *ret,
		    enum pmuq_counting *ret_status)
{
	int r = pq_set_read(set, member, ret);

	*ret_status = r == -ENODATA ? PMUQ_NEVER_SCHEDULED : r < 0 ? PMUQ_NOT_COUNTED : judge(ret);
	return r == -ENODATA ? 0 : r;
}

/* 0, -ENOSPC when some of them was never on a counter, or another -errno. */
static int read_all(struct pq_measure *measure, const struct pq_set *set, bool keeps)
{
	int first = 0;

	for (size_t k = 0; k < set->n; k++) {
		struct pq_count *kept = &measure->counts->v[set->indexes[k]];
		struct pmuq_reading reading;
		enum pmuq_counting status;
		int r = read_one(set, k, &reading, &status);

		if (keeps) {
			kept->status = status;
			kept->errnum = -r;
			kept->is_read = status != PMUQ_NOT_COUNTED;
			kept->reading = reading;
		}
		if (r == 0 && status == PMUQ_NEVER_SCHEDULED)
			r = -ENOSPC;
		first = first ? first : r;
	}
	return first;
}

static int open_and_count(struct pq_measure *measure, struct pq_set *set, unsigned ms, bool keeps,
			  int *ret_answer)
{
	const struct pq_request *request =
		pq_group_decider(&measure->opening, set->indexes, set->n);
	int r = pq_set_open(set, request);

	*ret_answer = set->refusal.answer;
	if (r == 0 && *ret_answer == 0)
		*ret_answer = count(measure, set, request, ms, keeps);
	if (r == 0 && *ret_answer == 0)
		*ret_answer = read_all(measure, set, keeps);
	pq_set_close(set);
	return r;
}

int pq_measure_set(struct pq_measure *measure, const size_t *indexes, size_t n, unsigned ms,
		   bool keeps, int *ret_answer)
{
	struct pq_set set = {
		.opening = &measure->opening,
		.indexes = indexes,
		.n = n,
		.read_format = PQ_READ_TIMES,
	};
	struct pq_count *counts = measure->counts->v;
	int r;

	for (size_t k = 0; keeps && k < n; k++) {
		counts[indexes[k]].status = PMUQ_NOT_COUNTED;
		counts[indexes[k]].errnum = 0;
		counts[indexes[k]].is_read = counts[indexes[k]].has_page = false;
	}
	r = open_and_count(measure, &set, ms, keeps, ret_answer);
	for (size_t k = 0; keeps && *ret_answer < 0 && k < n; k++)
		if (!counts[indexes[k]].is_read)
			counts[indexes[k]].errnum = -*ret_answer;
	return r;
}

static int measure_alone(struct pq_measure *measure, size_t index)
{
	int answer;

	measure->counts->v[index].is_settled = true;
	return pq_measure_set(measure, &index, 1, measure->how.work_ms, true, &answer);
}

static int measure_each(struct pq_measure *measure, const struct pq_group *group)
{
	int r = 0;

	for (size_t k = 0; k < group->n && r == 0; k++)
		r = measure_alone(measure, group->indexes[k]);
	return r;
}

/* As a whole first; when that fails, and not for want of descriptors, in parts. */
static int measure_group(struct pq_measure *measure, size_t index)
{
	cleanup(pq_group_free) struct pq_group group = { 0 };
	size_t leader = measure->opening.requests[index].leader;
	int answer, r;

	if (!pq_group_gather(&measure->opening, index, &group))
		return -PMUQ_E_MEMORY;
	if (!group.n || group.indexes[0] != leader)
		return measure_each(measure, &group);
	for (size_t k = 0; k < group.n; k++) {
		measure->counts->v[group.indexes[k]].is_settled = true;
		measure->counts->v[group.indexes[k]].is_grouped = true;
		measure->counts->v[group.indexes[k]].leader = leader;
	}
	r = pq_measure_set(measure, group.indexes, group.n, measure->how.work_ms, true, &answer);
	if (r < 0)
		return r;
	if (answer < 0)
		return pq_measure_split(measure, &group);
	measure->counts->v[leader].n_parts = 1;
	for (size_t k = 0; k < group.n; k++)
		measure->counts->v[group.indexes[k]].part = 0;
	return 0;
}

static int measure_next(struct pq_measure *measure, size_t index)
{
	const struct pq_request *request = &measure->opening.requests[index];

	if (measure->counts->v[index].is_settled || pq_request_reason_to_skip(request))
		return 0;
	if (request->members > 1)
		return measure_group(measure, index);
	return measure_alone(measure, index);
}

int pq_measure_requests(const struct pq_opener *opener, const struct pq_request *requests, size_t n,
			const struct pq_measuring *how, struct pmuq_counts **ret,
			struct pmuq_error **reterr)
{
	cleanup(pq_counts_freep) struct pmuq_counts *counts = pq_counts_new(n);
	struct pq_measure measure = {
		.opening = { .opener = opener, .requests = requests, .n = n },
		.how = *how,
		.counts = counts,
	};
	int r = 0;

	if (!counts)
		return pq_fail_memory(reterr);
	pq_arena_init(&measure.opening.scratch, NULL, 0, PQ_SCRATCH_BYTES_MAX);
	for (size_t i = 0; i < n && r >= 0; i++)
		r = measure_next(&measure, i);
	pq_arena_clear(&measure.opening.scratch);
	if (r < 0)
		return pq_fail_memory(reterr);

	*ret = move(counts);
	return 0;
}
