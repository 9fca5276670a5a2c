/* SPDX-License-Identifier: MIT */
/* Reading what is open: one event, or all of them, each group by one call a place. */
#include "core/sized.h"
#include "open/count/times.h"
#include "open/kept.h"
#include <errno.h>

/*
 * What a place reads is brought here first: a group's into the object's room, an event's that is
 * alone into `alone`.
 */
struct sight {
	const struct pmuq_opened *opened;
	const struct pq_kept *kept;
	size_t place;
	struct pq_times alone;
};

static int look_at_group(const struct sight *sight)
{
	const struct pmuq_opened *opened = sight->opened;
	size_t n = sight->kept->n;
	size_t bytes = sizeof(*opened->room) + n * sizeof(opened->room->v[0]);
	int r = opened->kernel.read_group(opened->kernel.self, sight->kept->fds[sight->place * n],
					  opened->room, bytes);

	return r == 0 && opened->room->n != n ? -ENODATA : r;
}

/* 0 or -errno. */
static int look(const struct pmuq_opened *opened, const struct pq_kept *kept, size_t place,
		struct sight *ret)
{
	*ret = (struct sight){ .opened = opened, .kept = kept, .place = place };
	if (kept->n > 1)
		return look_at_group(ret);
	return opened->kernel.read_event(opened->kernel.self, kept->fds[place], &ret->alone);
}

static struct pq_times *zero_of(const struct sight *sight, size_t member)
{
	return &sight->kept->zeros[sight->place * sight->kept->n + member];
}

/* As the kernel has them: a group's times are its leader's. */
static struct pq_times raw(const struct sight *sight, size_t member)
{
	const struct pq_group_times *room = sight->opened->room;

	if (sight->kept->n == 1)
		return sight->alone;
	return (struct pq_times){
		.value = room->v[member].value,
		.enabled_ns = room->enabled_ns,
		.running_ns = room->running_ns,
	};
}

/* Somebody may have set the descriptor itself to zero since. */
static struct pq_times since_zero(const struct sight *sight, size_t member)
{
	const struct pq_times *zero = zero_of(sight, member);
	struct pq_times times = raw(sight, member);

	times.value -= times.value < zero->value ? 0 : zero->value;
	times.enabled_ns -= zero->enabled_ns;
	times.running_ns -= zero->running_ns;
	return times;
}

/*
 * The kernel has set the counts to zero, but no times, and not what children counted that have
 * ended. A count that no child adds to is left as the kernel has it: some are no sums (a
 * temperature), and are the same after as before.
 */
int pq_kept_zero(const struct pmuq_opened *opened, const struct pq_kept *kept, size_t place)
{
	struct sight sight;
	int r = look(opened, kept, place, &sight);

	for (size_t k = 0; k < kept->n; k++) {
		struct pq_times *zero = zero_of(&sight, k);

		if (r == 0)
			*zero = raw(&sight, k);
		if (r < 0 || !kept->is_inherited)
			zero->value = 0;
	}
	return r;
}

/* The event is known by its index alone. */
static int fail_at(const struct pq_kept *kept, size_t index, size_t place, int errnum,
		   struct pmuq_error **reterr)
{
	int r = pq_opened_fail(errnum, "read", reterr);

	if (kept->cpus[place] >= 0)
		pq_error_in(reterr, "event %zu on CPU %d: ", index, kept->cpus[place]);
	else
		pq_error_in(reterr, "event %zu: ", index);
	return r;
}

static int read_places(const struct pmuq_opened *opened, size_t index, size_t from, size_t to,
		       struct pmuq_reading *ret, struct pmuq_error **reterr)
{
	const struct pq_kept *kept = pq_kept_of(opened, index);
	struct pmuq_reading reading = { .size = sizeof(reading) };
	struct pq_times times;
	struct sight sight;
	int r = pq_sized_check(ret, reterr);

	if (r < 0)
		return r;
	if (!kept || from >= kept->n_places)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "event %zu is not open there", index);
	for (size_t place = from; place < to && place < kept->n_places; place++) {
		r = look(opened, kept, place, &sight);
		if (r < 0)
			return fail_at(kept, index, place, -r, reterr);
		times = since_zero(&sight, opened->index[index].member);
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

/* The sums of all members of a set, up to a place that cannot be read. */
static void read_set(const struct pmuq_opened *opened, struct pq_kept *kept)
{
	struct pmuq_reading *sums = &opened->sums[kept->first_sum];
	struct pq_times times;
	struct sight sight;

	kept->answer = 0;
	memset(sums, 0, kept->n * sizeof(*sums));
	for (size_t place = 0; place < kept->n_places && kept->answer == 0; place++) {
		kept->bad_place = place;
		kept->answer = look(opened, kept, place, &sight);
		for (size_t k = 0; k < kept->n && kept->answer == 0; k++) {
			times = since_zero(&sight, k);
			pq_reading_add(&sums[k], &times);
		}
	}
}

static struct pmuq_reading *at(struct pmuq_reading *readings, size_t index)
{
	return (struct pmuq_reading *)((char *)readings + index * readings->size);
}

/* The sums stand set by set. What cannot be read is left as it is. */
static int give(const struct pmuq_opened *opened, size_t index, struct pmuq_reading *ret,
		struct pmuq_error **reterr)
{
	const struct pmuq_reading none = { .size = sizeof(none) };
	const struct pq_kept *kept = pq_kept_of(opened, index);
	const struct pmuq_reading *sum = &none;

	if (kept && kept->answer < 0)
		return fail_at(kept, index, kept->bad_place, -kept->answer, reterr);
	if (kept)
		sum = &opened->sums[kept->first_sum + opened->index[index].member];
	pq_sized_give(sum, sizeof(*sum), ret);
	return 0;
}

static int check_room(const struct pmuq_opened *opened, struct pmuq_reading *ret, size_t n,
		      struct pmuq_error **reterr)
{
	int r = 0;

	if (n != pmuq_opened_count(opened))
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "room for %zu readings of %zu", n,
			       pmuq_opened_count(opened));
	for (size_t i = 0; i < n && r == 0; i++)
		r = pq_sized_check(at(ret, i), reterr);
	return r;
}

PQ_API int pmuq_opened_read_all(const struct pmuq_opened *opened, struct pmuq_reading *ret,
				size_t n, struct pmuq_error **reterr)
{
	int first = check_room(opened, ret, n, reterr), r;

	if (first < 0)
		return first;
	for (size_t i = 0; opened && i < opened->n_sets; i++)
		read_set(opened, &opened->sets[i]);
	for (size_t i = 0; i < n; i++) {
		r = give(opened, i, at(ret, i), first ? NULL : reterr);
		first = first ? first : r;
	}
	return first;
}
