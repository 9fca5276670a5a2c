/* SPDX-License-Identifier: MIT */
/*
 * Reading events that stay open: one event, or all of them, a group by one system call on each
 * target. Allocates nothing unless reading fails.
 */
#include "core/sized.h"
#include "open/opened.h"
#include <errno.h>

/* The values of a set on one target: those of a group are in the object's buffer, those of an event
 * here. */
struct opened_sample {
	const struct pmuq_opened *opened;
	const struct pq_opened_set *set;
	size_t target;
	struct pq_times alone;
};

/* 0 or -errno. */
static int read_target(const struct pmuq_opened *opened, const struct pq_opened_set *set,
		       size_t target, struct opened_sample *ret)
{
	struct pq_group_times *group = opened->group_buffer;
	const struct pq_kernel *kernel = &opened->kernel;
	int leader_fd = set->fds[target * set->n];

	*ret = (struct opened_sample){ .opened = opened, .set = set, .target = target };
	if (set->read_format != PQ_FORMAT_GROUP)
		return kernel->read_event(kernel->self, leader_fd, &ret->alone, sizeof(ret->alone));
	return kernel->read_event(kernel->self, leader_fd, group,
				  sizeof(*group) + set->n * sizeof(group->v[0]));
}

static struct pq_times *zero_of(const struct opened_sample *sample, size_t member)
{
	return &sample->set->zeros[sample->target * sample->set->n + member];
}

/* As the kernel has them: a group's times are its leader's. */
static struct pq_times raw(const struct opened_sample *sample, size_t member)
{
	const struct pq_group_times *group = sample->opened->group_buffer;

	if (sample->set->read_format != PQ_FORMAT_GROUP)
		return sample->alone;
	return (struct pq_times){
		.value = group->v[member].value,
		.enabled_ns = group->enabled_ns,
		.running_ns = group->running_ns,
	};
}

/* The value may be below its zero: the caller can reset the descriptor itself. */
static struct pq_times since_zero(const struct opened_sample *sample, size_t member)
{
	const struct pq_times *zero = zero_of(sample, member);
	struct pq_times times = raw(sample, member);

	times.value -= times.value < zero->value ? 0 : zero->value;
	times.enabled_ns -= zero->enabled_ns;
	times.running_ns -= zero->running_ns;
	return times;
}

/*
 * PERF_EVENT_IOC_RESET sets the counts to zero, but neither times nor the counts of children that
 * have ended: those are subtracted from now on. The count of an event without children stays as the
 * kernel reads it, because some counts are not sums (a temperature).
 */
int pq_opened_zero(const struct pmuq_opened *opened, const struct pq_opened_set *set, size_t target)
{
	struct opened_sample sample;
	int r = read_target(opened, set, target, &sample);

	for (size_t k = 0; k < set->n; k++) {
		struct pq_times *zero = zero_of(&sample, k);

		if (r == 0)
			*zero = raw(&sample, k);
		if (r < 0 || !set->is_inherited)
			zero->value = 0;
	}
	return r;
}

static int fail_on(const struct pq_opened_set *set, size_t index, size_t target, int errnum,
		   struct pmuq_error **reterr)
{
	int r = pq_opened_fail(errnum, "read", reterr);

	if (set->cpus[target] >= 0)
		pq_error_in(reterr, "event %zu on CPU %d: ", index, set->cpus[target]);
	else
		pq_error_in(reterr, "event %zu: ", index);
	return r;
}

static int read_targets(const struct pmuq_opened *opened, size_t index, size_t from, size_t to,
			struct pmuq_value *ret, struct pmuq_error **reterr)
{
	const struct pq_opened_set *set = pq_opened_set_of(opened, index);
	struct pmuq_value sum = { .size = sizeof(sum) };
	struct opened_sample sample;
	struct pq_times times;
	int r = pq_sized_check(ret, reterr);

	if (r < 0)
		return r;
	if (!set || from >= set->n_targets)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "event %zu is not open there", index);
	for (size_t target = from; target < to && target < set->n_targets; target++) {
		r = read_target(opened, set, target, &sample);
		if (r < 0)
			return fail_on(set, index, target, -r, reterr);
		times = since_zero(&sample, opened->indexes[index].member);
		pq_times_add(&sum, &times);
	}
	pq_sized_give(&sum, sizeof(sum), ret);
	return 0;
}

PQ_API int pmuq_opened_read(const struct pmuq_opened *opened, size_t index, struct pmuq_value *ret,
			    struct pmuq_error **reterr)
{
	return read_targets(opened, index, 0, SIZE_MAX, ret, reterr);
}

PQ_API int pmuq_opened_read_at(const struct pmuq_opened *opened, size_t index, size_t target,
			       struct pmuq_value *ret, struct pmuq_error **reterr)
{
	return read_targets(opened, index, target, target < SIZE_MAX ? target + 1 : target, ret,
			    reterr);
}

/* The sums of all members; stops at the first target that cannot be read. */
static void read_set(const struct pmuq_opened *opened, struct pq_opened_set *set)
{
	struct pmuq_value *sums = &opened->sums[set->first_sum];
	struct opened_sample sample;
	struct pq_times times;

	set->errnum = 0;
	memset(sums, 0, set->n * sizeof(*sums));
	for (size_t target = 0; target < set->n_targets && !set->errnum; target++) {
		set->bad_target = target;
		set->errnum = -read_target(opened, set, target, &sample);
		for (size_t k = 0; k < set->n && !set->errnum; k++) {
			times = since_zero(&sample, k);
			pq_times_add(&sums[k], &times);
		}
	}
}

static struct pmuq_value *at(struct pmuq_value *values, size_t index)
{
	return (struct pmuq_value *)((char *)values + index * values->size);
}

/* Leaves *ret unchanged if the event could not be read. */
static int copy_sum(const struct pmuq_opened *opened, size_t index, struct pmuq_value *ret,
		    struct pmuq_error **reterr)
{
	const struct pmuq_value none = { .size = sizeof(none) };
	const struct pq_opened_set *set = pq_opened_set_of(opened, index);
	const struct pmuq_value *sum = &none;

	if (set && set->errnum)
		return fail_on(set, index, set->bad_target, set->errnum, reterr);
	if (set)
		sum = &opened->sums[set->first_sum + opened->indexes[index].member];
	pq_sized_give(sum, sizeof(*sum), ret);
	return 0;
}

static int check_values(const struct pmuq_opened *opened, struct pmuq_value *ret, size_t n,
			struct pmuq_error **reterr)
{
	int r = 0;

	if (n != pmuq_opened_count(opened))
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "memory for %zu values of %zu", n,
			       pmuq_opened_count(opened));
	for (size_t i = 0; i < n && r == 0; i++)
		r = pq_sized_check(at(ret, i), reterr);
	return r;
}

PQ_API int pmuq_opened_read_all(const struct pmuq_opened *opened, struct pmuq_value *ret, size_t n,
				struct pmuq_error **reterr)
{
	int first = check_values(opened, ret, n, reterr), r;

	if (first < 0)
		return first;
	for (size_t i = 0; opened && i < opened->n_sets; i++)
		read_set(opened, &opened->sets[i]);
	for (size_t i = 0; i < n; i++) {
		r = copy_sum(opened, i, at(ret, i), first ? NULL : reterr);
		first = first ? first : r;
	}
	return first;
}
