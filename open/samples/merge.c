/* SPDX-License-Identifier: MIT */
/*
 * Takes the records of all rings in the order of time. A record is only taken when it is known that
 * no ring has an older one: all rings are read twice, and what the first time was there is taken.
 * The kernel wrote every older record before it, so that the second time found it.
 */
#include "core/sized.h"
#include "open/samples/samples.h"
#include <linux/perf_event.h>
#include <string.h>

int pq_sampler_compare(const void *a, const void *b)
{
	const struct pq_sampler *one = a, *other = b;

	return (one->id > other->id) - (one->id < other->id);
}

/* The event that wrote the record; SIZE_MAX: not known. */
static size_t find_event(const struct pmuq_samples *samples, const struct pq_sample_ring *ring,
			 uint64_t id)
{
	const struct pq_sampler key = { .id = id }, *found = NULL;

	if (!ring->is_shared)
		return ring->index;
	if (id)
		found = bsearch(&key, samples->samplers, samples->n_samplers, sizeof(key),
				pq_sampler_compare);
	return found ? found->index : SIZE_MAX;
}

/* The layouts of one ring have the id in one place; its event is known after that. */
static void load(struct pmuq_samples *samples, struct pq_sample_ring *ring)
{
	struct pq_record_id id;
	size_t index;

	ring->next = NULL;
	if (pq_ring_is_empty(&ring->ring))
		return;
	ring->next = pq_ring_record(&ring->ring, ring->copy);
	if (!ring->next) {
		/* Something else wrote to the ring. */
		samples->lost++;
		pq_ring_skip_all(&ring->ring);
		pq_ring_release(&ring->ring);
		return;
	}
	id = pq_record_identify(ring->next, &ring->layout);
	index = find_event(samples, ring, id.id);
	if (index != SIZE_MAX)
		id = pq_record_identify(ring->next, &samples->layouts[index]);
	ring->next_time_ns = id.time_ns;
	ring->next_index = index;
}

static bool is_sure(const struct pq_sample_ring *ring)
{
	return ring->next && (int64_t)(ring->sure - ring->ring.tail) > 0;
}

static void update(struct pmuq_samples *samples, struct pq_sample_ring *ring)
{
	pq_ring_update(&ring->ring);
	if (!ring->next)
		load(samples, ring);
}

static bool update_all(struct pmuq_samples *samples)
{
	bool is_any = false;

	for (size_t i = 0; i < samples->n_rings; i++) {
		struct pq_sample_ring *ring = &samples->rings[i];

		update(samples, ring);
		ring->sure = ring->ring.head;
		is_any |= ring->next != NULL;
	}
	for (size_t i = 0; is_any && i < samples->n_rings; i++)
		update(samples, &samples->rings[i]);
	return is_any;
}

/* The oldest of the next records, if some record is sure. */
static struct pq_sample_ring *find_oldest(struct pmuq_samples *samples)
{
	struct pq_sample_ring *oldest = NULL;
	bool is_any_sure = false;

	for (size_t i = 0; i < samples->n_rings; i++) {
		struct pq_sample_ring *ring = &samples->rings[i];

		is_any_sure |= is_sure(ring);
		if (ring->next && (!oldest || ring->next_time_ns < oldest->next_time_ns))
			oldest = ring;
	}
	return is_any_sure ? oldest : NULL;
}

/* PERF_RECORD_LOST has the event's id before the number, PERF_RECORD_LOST_SAMPLES has not. */
static uint64_t lost_in(const struct pq_record_header *record)
{
	size_t at = record->type == PERF_RECORD_LOST ? 1 : 0;
	uint64_t lost;

	if ((record->type != PERF_RECORD_LOST && record->type != PERF_RECORD_LOST_SAMPLES) ||
	    record->bytes < sizeof(*record) + (at + 1) * sizeof(lost))
		return 0;
	memcpy(&lost, (const uint64_t *)(record + 1) + at, sizeof(lost));
	return lost;
}

/* The caller is done with the record that was taken. */
static void release_taken(struct pmuq_samples *samples)
{
	struct pq_sample_ring *ring = samples->taken;

	if (!ring)
		return;
	pq_ring_skip(&ring->ring, ring->next->bytes);
	pq_ring_release(&ring->ring);
	load(samples, ring);
	samples->taken = NULL;
}

PQ_API const struct pmuq_sample_record *pmuq_samples_next(struct pmuq_samples *samples)
{
	struct pq_sample_ring *ring;

	release_taken(samples);
	ring = find_oldest(samples);
	if (!ring && update_all(samples))
		ring = find_oldest(samples);
	if (!ring)
		return NULL;
	samples->taken = ring;
	samples->lost += lost_in(ring->next);
	samples->record = (struct pmuq_sample_record){
		.size = sizeof(samples->record),
		.type = ring->next->type,
		.misc = ring->next->misc,
		.data = ring->next,
		.data_bytes = ring->next->bytes,
		.index = ring->next_index,
		.time_ns = ring->next_time_ns,
		.cpu = ring->cpu,
	};
	return &samples->record;
}

PQ_API PQ_COLD uint64_t pmuq_samples_lost(const struct pmuq_samples *samples)
{
	return samples->lost;
}

PQ_API bool pmuq_samples_parse(const struct pmuq_samples *samples,
			       const struct pmuq_sample_record *record, struct pmuq_sample *ret)
{
	struct pmuq_sample other, *found = ret;

	if (!record || record->type != PERF_RECORD_SAMPLE || record->index == SIZE_MAX ||
	    pq_sized_check(ret, NULL) < 0)
		return false;
	/* A copy costs as much as all the rest. */
	if (ret->size != sizeof(*ret))
		found = &other;
	if (!pq_sample_parse(record->data, &samples->layouts[record->index], found))
		return false;
	if (found == &other)
		pq_sized_give(found, sizeof(*found), ret);
	return true;
}
