/* SPDX-License-Identifier: MIT */
/*
 * Maps the ring buffers of opened events, and waits for them. Events on one CPU or task share a
 * ring if their records can be distinguished in it and the kernel permits it.
 */
#include "open/samples/samples.h"
#include "core/flags.h"
#include "core/freep.h"
#include "core/limits.h"
#include <errno.h>
#include <sys/epoll.h>

#define DEFAULT_BYTES ((size_t)128 << 10)
/* The part of a sample_type that decides where a record has its id and its time. */
#define ID_FIELDS                                                                                  \
	((uint64_t)(PQ_SAMPLE_IP | PQ_SAMPLE_TID | PQ_SAMPLE_TIME | PQ_SAMPLE_ADDR |               \
		    PQ_SAMPLE_ID | PQ_SAMPLE_STREAM_ID | PQ_SAMPLE_CPU | PQ_SAMPLE_IDENTIFIER))

/* Whether the event writes records. */
static bool is_sampler(const struct pmuq_attr *attr)
{
	return attr->sample_period || attr->mmap || attr->mmap2 || attr->comm || attr->task ||
	       attr->context_switch || attr->namespaces || attr->ksymbol || attr->bpf_event ||
	       attr->cgroup || attr->text_poke;
}

static bool can_share(const struct pq_sample_layout *a, const struct pq_sample_layout *b)
{
	if (a->has_id_all != b->has_id_all)
		return false;
	return a->types & b->types & PQ_SAMPLE_IDENTIFIER ||
	       ((a->types & ID_FIELDS) == (b->types & ID_FIELDS) && a->types & PQ_SAMPLE_ID);
}

/* Whether it can write to a ring of another event. */
static bool redirect(struct pmuq_samples *samples, const struct pmuq_target *target, size_t index)
{
	const struct pq_kernel *kernel = &samples->kernel;

	for (size_t i = 0; i < samples->n_rings; i++) {
		struct pq_sample_ring *ring = &samples->rings[i];

		if (ring->cpu != target->cpu ||
		    !can_share(&ring->layout, &samples->layouts[index]) ||
		    kernel->redirect(kernel->self, target->fd, ring->fd) < 0)
			continue;
		ring->is_shared = true;
		return true;
	}
	return false;
}

static int fail_to_map(int errnum, const struct pmuq_attr *attr, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_NO_SAMPLES, "%s", pq_why_not_mapped(errnum, attr->inherit));

	pq_error_errno(reterr, errnum);
	if (errnum == EPERM)
		pq_error_hint(reterr, "use smaller buffers");
	else if (errnum == EINVAL && attr->inherit)
		pq_error_hint(reterr, "open the events with pmuq_open_options.wants_samples");
	return r;
}

static int fail_to_wait(int errnum, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_TOO_MANY_FILES, "cannot wait for samples: %s",
			pmuq_errno_name(errnum));

	pq_error_errno(reterr, errnum);
	return r;
}

static int map(struct pmuq_samples *samples, const struct pmuq_target *target, size_t index,
	       const struct pmuq_attr *attr, struct pmuq_error **reterr)
{
	const struct pq_kernel *kernel = &samples->kernel;
	struct pq_sample_ring *ring = &samples->rings[samples->n_rings];
	void *mapped;
	int r = kernel->map(kernel->self, target->fd, samples->bytes, true, &mapped);

	if (r < 0)
		return fail_to_map(-r, attr, reterr);
	*ring = (struct pq_sample_ring){
		.layout = samples->layouts[index],
		.fd = target->fd,
		.cpu = target->cpu,
		.index = index,
		.copy = pq_arena_take(&samples->arena, PQ_RECORD_MAX_BYTES),
	};
	pq_ring_init(&ring->ring, mapped, pq_page_bytes(), samples->bytes - pq_page_bytes());
	r = kernel->poll_with(kernel->self, target->fd, samples->epoll, samples->n_rings++);
	if (!ring->copy)
		return pq_fail_memory(reterr);
	if (r < 0)
		return fail_to_wait(-r, reterr);
	samples->n_waiting++;
	return 0;
}

/* Lets the event write to a ring, on one of its targets. */
static int add(struct pmuq_samples *samples, const struct pmuq_opened *opened, size_t index,
	       size_t number, struct pmuq_error **reterr)
{
	struct pmuq_target target = { .size = sizeof(target) };
	struct pq_sampler *sampler = &samples->samplers[samples->n_samplers];

	pmuq_opened_target(opened, index, number, &target);
	if (!redirect(samples, &target, index)) {
		int r = map(samples, &target, index, &opened->attrs[index], reterr);

		if (r < 0)
			return r;
	}
	*sampler = (struct pq_sampler){ .id = target.id, .index = index };
	samples->n_samplers++;
	return 0;
}

static int fail_backward(size_t index, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_NO_SAMPLES,
			"event %zu writes its buffer backward, and overwrites what was not read",
			index);

	pq_error_hint(reterr, "encode it without the term 'overwrite'");
	return r;
}

static int fail_without_sampler(struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_NO_SAMPLES, "no opened event takes samples");

	pq_error_hint(reterr, "encode with PMUQ_PRESET_SAMPLE, or set sample_period");
	return r;
}

static int check(const struct pmuq_opened *opened, size_t *ret_n, struct pmuq_error **reterr)
{
	*ret_n = 0;
	for (size_t i = 0; i < opened->n; i++) {
		if (!is_sampler(&opened->attrs[i]))
			continue;
		*ret_n += pmuq_opened_target_count(opened, i);
		if (opened->attrs[i].write_backward)
			return fail_backward(i, reterr);
	}
	return *ret_n ? 0 : fail_without_sampler(reterr);
}

static int add_all(struct pmuq_samples *samples, const struct pmuq_opened *opened,
		   struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; i < opened->n; i++) {
		const struct pq_opened_set *set = pq_opened_set_of(opened, i);

		if (!set || !is_sampler(&opened->attrs[i]))
			continue;
		samples->layouts[i] = pq_sample_layout_of(&opened->attrs[i], set->read_format);
		for (size_t k = 0; k < set->n_targets && r == 0; k++)
			r = add(samples, opened, i, k, reterr);
	}
	if (r == 0)
		qsort(samples->samplers, samples->n_samplers, sizeof(*samples->samplers),
		      pq_sampler_compare);
	return r;
}

/* A power of two of whole pages, and the page before them. */
static size_t mapping_of(size_t wanted)
{
	size_t bytes = pq_page_bytes();

	while (bytes < (wanted ? wanted : DEFAULT_BYTES) && bytes <= SIZE_MAX / 4)
		bytes *= 2;
	return bytes + pq_page_bytes();
}

PQ_API int pmuq_opened_sample(const struct pmuq_opened *opened, size_t bytes,
			      struct pmuq_samples **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_samples_freep) struct pmuq_samples *samples = NULL;
	size_t n;
	int r;

	if (!opened)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the opened events are NULL");
	r = check(opened, &n, reterr);
	if (r < 0)
		return r;
	samples = calloc(1, sizeof(*samples));
	if (!samples)
		return pq_fail_memory(reterr);
	samples->kernel = opened->kernel;
	samples->bytes = mapping_of(bytes);
	samples->arena = PQ_ARENA(PQ_OPENED_MAX_BYTES);
	samples->layouts = pq_arena_array(&samples->arena, opened->n, sizeof(*samples->layouts));
	samples->samplers = pq_arena_array(&samples->arena, n, sizeof(*samples->samplers));
	samples->rings = pq_arena_array(&samples->arena, n, sizeof(*samples->rings));
	samples->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!samples->layouts || !samples->samplers || !samples->rings)
		return pq_fail_memory(reterr);
	if (samples->epoll < 0)
		return fail_to_wait(errno, reterr);
	r = add_all(samples, opened, reterr);
	if (r < 0)
		return r;
	*ret = move(samples);
	return 0;
}

PQ_API void pmuq_samples_free(struct pmuq_samples *samples)
{
	if (!samples)
		return;
	for (size_t i = 0; i < samples->n_rings; i++)
		samples->kernel.unmap(samples->kernel.self, samples->rings[i].ring.page,
				      samples->bytes);
	if (samples->epoll >= 0)
		close(samples->epoll);
	pq_arena_clear(&samples->arena);
	free(samples);
}

PQ_API int pmuq_samples_fd(const struct pmuq_samples *samples)
{
	return samples->epoll;
}

/* A task has ended: its event has no more to report, but would wake every wait. */
static void forget(struct pmuq_samples *samples, size_t ring)
{
	epoll_ctl(samples->epoll, EPOLL_CTL_DEL, samples->rings[ring].fd, NULL);
	samples->n_waiting--;
}

PQ_API int pmuq_samples_wait(struct pmuq_samples *samples, int timeout_ms, bool *ret_has_ended,
			     struct pmuq_error **reterr)
{
	struct epoll_event events[16];
	int n = 0;

	if (samples->n_waiting)
		n = epoll_wait(samples->epoll, events, (int)COUNT(events), timeout_ms);
	if (n < 0 && errno != EINTR)
		return pq_opened_fail(errno, "wait for", reterr);
	for (int i = 0; i < n; i++)
		if (events[i].events & (EPOLLHUP | EPOLLERR))
			forget(samples, (size_t)events[i].data.u64);
	*ret_has_ended = !samples->n_waiting;
	return 0;
}
