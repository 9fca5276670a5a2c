/* SPDX-License-Identifier: MIT */
/* Reading what is open: one event, or all of them, each group by one call a place. */
#include "core/sized.h"
#include "open/kept.h"
#include "open/times.h"
#include <errno.h>

/* The group in that place, into the room: 0 or -errno. */
static int read_group(const struct pmuq_opened *opened, const struct pq_kept *kept, size_t place)
{
	size_t bytes = sizeof(*opened->room) + kept->n * sizeof(opened->room->v[0]);
	int r = opened->kernel.read_group(opened->kernel.self, kept->fds[place * kept->n],
					  opened->room, bytes);

	return r == 0 && opened->room->n != kept->n ? -ENODATA : r;
}

/* Of the group that is in the room. */
static struct pq_times group_times(const struct pmuq_opened *opened, size_t member)
{
	return (struct pq_times){
		.value = opened->room->v[member].value,
		.enabled_ns = opened->room->enabled_ns,
		.running_ns = opened->room->running_ns,
	};
}

static int read_member(const struct pmuq_opened *opened, const struct pq_kept *kept, size_t member,
		       size_t place, struct pq_times *ret)
{
	int r;

	if (kept->n == 1)
		return opened->kernel.read_event(opened->kernel.self, kept->fds[place], ret);
	r = read_group(opened, kept, place);
	if (r == 0)
		*ret = group_times(opened, member);
	return r;
}

static int read_places(const struct pmuq_opened *opened, size_t index, size_t from, size_t to,
		       struct pmuq_reading *ret, struct pmuq_error **reterr)
{
	const struct pq_kept *kept = pq_kept_of(opened, index);
	struct pmuq_reading reading = { .size = sizeof(reading) };
	struct pq_times times;
	int r;

	if (!kept || from >= kept->n_places)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "event %zu is not open there", index);
	for (size_t place = from; place < to && place < kept->n_places; place++) {
		r = read_member(opened, kept, opened->index[index].member, place, &times);
		if (r < 0)
			return pq_opened_fail(-r, "read", reterr);
		pq_reading_add(&reading, &times);
	}
	pq_sized_give(&reading, sizeof(reading), ret);
	return 0;
}

PQ_API int pmuq_opened_read(const struct pmuq_opened *opened, size_t index,
			    struct pmuq_reading *ret, struct pmuq_error **reterr)
{
	return read_places(opened, index, 0, SIZE_MAX, ret, reterr);
}

PQ_API int pmuq_opened_read_at(const struct pmuq_opened *opened, size_t index, size_t place,
			       struct pmuq_reading *ret, struct pmuq_error **reterr)
{
	return read_places(opened, index, place, place < SIZE_MAX ? place + 1 : place, ret, reterr);
}

/* The sums of all members of a set: 0 or -errno. */
static int read_set(const struct pmuq_opened *opened, const struct pq_kept *kept,
		    struct pmuq_reading *sums)
{
	struct pq_times times;
	int r;

	memset(sums, 0, kept->n * sizeof(*sums));
	for (size_t place = 0; place < kept->n_places; place++) {
		r = read_member(opened, kept, 0, place, &times);
		if (r < 0)
			return r;
		pq_reading_add(&sums[0], &times);
		for (size_t k = 1; k < kept->n; k++) {
			times = group_times(opened, k);
			pq_reading_add(&sums[k], &times);
		}
	}
	return 0;
}

/* The sums stand set by set. */
static const struct pmuq_reading *sum_of(const struct pmuq_opened *opened, size_t index,
					 const struct pmuq_reading *none)
{
	const struct pq_kept *kept = pq_kept_of(opened, index);

	return kept ? &opened->sums[kept->first_sum + opened->index[index].member] : none;
}

static struct pmuq_reading *at(struct pmuq_reading *readings, size_t index)
{
	return (struct pmuq_reading *)((char *)readings + index * readings->size);
}

PQ_API int pmuq_opened_read_all(const struct pmuq_opened *opened, struct pmuq_reading *ret,
				size_t n, struct pmuq_error **reterr)
{
	const struct pmuq_reading none = { .size = sizeof(none) };
	int first = 0, r;

	if (n != pmuq_opened_count(opened))
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "room for %zu readings of %zu", n,
			       pmuq_opened_count(opened));
	for (size_t i = 0; i < opened->n_sets; i++) {
		r = read_set(opened, &opened->sets[i], &opened->sums[opened->sets[i].first_sum]);
		first = first ? first : r;
	}
	for (size_t i = 0; i < n; i++)
		pq_sized_give(sum_of(opened, i, &none), sizeof(none), at(ret, i));
	return first < 0 ? pq_opened_fail(-first, "read", reterr) : 0;
}
