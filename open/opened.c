/* SPDX-License-Identifier: MIT */
/* The object of events that stay open: it is made, switched on and off, and closed here.
 * opened_read.c reads it. */
#include "open/opened.h"
#include "core/event/modifier.h"
#include "core/limits.h"
#include "core/sized.h"
#include <errno.h>

struct pmuq_opened *pq_opened_new(const struct pq_kernel *kernel, size_t n)
{
	struct pmuq_opened *opened = calloc(1, sizeof(*opened));

	if (!opened)
		return NULL;
	opened->kernel = *kernel;
	opened->n = n;
	opened->results = pq_open_results_new(n);
	opened->arena = PQ_ARENA(PQ_OPENED_MAX_BYTES);
	opened->sets = pq_arena_array(&opened->arena, n, sizeof(*opened->sets));
	opened->indexes = pq_arena_array(&opened->arena, n, sizeof(*opened->indexes));
	opened->attrs = pq_arena_array(&opened->arena, n, sizeof(*opened->attrs));
	if (!opened->results || !opened->sets || !opened->indexes || !opened->attrs) {
		pmuq_opened_free(opened);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		opened->indexes[i].set = SIZE_MAX;
	return opened;
}

int pq_opened_add(struct pmuq_opened *opened, struct pq_open_set *set)
{
	size_t n_fds = set->n * set->n_open, i = 0;
	struct pq_open_target target = { 0 };
	struct pq_opened_set new = {
		.n = set->n,
		.n_targets = set->n_open,
		.read_format = set->read_format,
		.fds = set->fds,
		.ids = pq_arena_array(&opened->arena, n_fds, sizeof(*new.ids)),
		.cpus = pq_arena_array(&opened->arena, set->n_open, sizeof(*new.cpus)),
		.zeros = pq_arena_array(&opened->arena, n_fds, sizeof(*new.zeros)),
	};

	if (!new.ids || !new.cpus || !new.zeros)
		return -PMUQ_E_MEMORY;
	while (pq_open_targets_next(&set->targets, &target))
		new.cpus[i++] = target.cpu;
	for (i = 0; i < n_fds; i++)
		if (opened->kernel.read_id(opened->kernel.self, set->fds[i], &new.ids[i]) < 0)
			new.ids[i] = 0;
	for (size_t k = 0; k < set->n; k++) {
		opened->indexes[set->indexes[k]] =
			(struct pq_opened_index){ .set = opened->n_sets, .member = k };
		opened->attrs[set->indexes[k]] = *set->session->requests[set->indexes[k]].attr;
		new.is_inherited |= opened->attrs[set->indexes[k]].inherit;
	}
	opened->sets[opened->n_sets++] = new;
	set->n_open = 0;
	return 0;
}

bool pq_opened_finish(struct pmuq_opened *opened)
{
	size_t largest = 1, n = 0;

	for (size_t i = 0; i < opened->n_sets; i++) {
		struct pq_opened_set *set = &opened->sets[i];

		set->first_sum = n;
		n += set->n;
		largest = set->n > largest ? set->n : largest;
	}
	opened->group_buffer =
		pq_arena_zero(&opened->arena, sizeof(*opened->group_buffer) +
						      largest * sizeof(opened->group_buffer->v[0]));
	opened->sums = pq_arena_array(&opened->arena, n, sizeof(*opened->sums));
	return opened->group_buffer && opened->sums;
}

PQ_API void pmuq_opened_free(struct pmuq_opened *opened)
{
	if (!opened)
		return;
	for (size_t i = 0; i < opened->n_sets; i++)
		/* Closes members before their leader: without it they would count alone. */
		for (size_t k = opened->sets[i].n * opened->sets[i].n_targets; k-- > 0;)
			pq_kernel_close(&opened->kernel, opened->sets[i].fds[k]);
	pmuq_open_results_free(opened->results);
	pq_arena_clear(&opened->arena);
	free(opened);
}

int pq_opened_fail(int errnum, const char *what, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_EVENT_FAILED, "the kernel does not %s an opened event: %s",
			what, pmuq_errno_name(errnum));

	pq_error_errno(reterr, errnum);
	if (errnum == ENODATA)
		pq_error_hint(reterr,
			      "it is pinned and lost its counter: open it without the "
			      "modifier %c, or fewer events at once",
			      pq_modifier_letter(STR("pinned")));
	return r;
}

const struct pq_opened_set *pq_opened_set_of(const struct pmuq_opened *opened, size_t index)
{
	if (!opened || index >= opened->n || opened->indexes[index].set == SIZE_MAX)
		return NULL;
	return &opened->sets[opened->indexes[index].set];
}

PQ_API size_t pmuq_opened_count(const struct pmuq_opened *opened)
{
	return opened ? opened->n : 0;
}

PQ_API const struct pmuq_open_results *pmuq_opened_results(const struct pmuq_opened *opened)
{
	return opened ? opened->results : NULL;
}

static int switch_all(struct pmuq_opened *opened, enum pq_switch to, const char *what,
		      struct pmuq_error **reterr)
{
	int first = 0, r;

	for (size_t i = 0; opened && i < opened->n_sets; i++) {
		const struct pq_opened_set *set = &opened->sets[i];

		for (size_t k = 0; k < set->n_targets; k++) {
			r = opened->kernel.switch_event(opened->kernel.self, set->fds[k * set->n],
							to);
			if (r == 0 && to == PQ_SWITCH_RESET)
				r = pq_opened_zero(opened, set, k);
			first = first ? first : r;
		}
	}
	return first < 0 ? pq_opened_fail(-first, what, reterr) : 0;
}

PQ_API int pmuq_opened_enable(struct pmuq_opened *opened, struct pmuq_error **reterr)
{
	return switch_all(opened, PQ_SWITCH_ON, "enable", reterr);
}

PQ_API int pmuq_opened_disable(struct pmuq_opened *opened, struct pmuq_error **reterr)
{
	return switch_all(opened, PQ_SWITCH_OFF, "disable", reterr);
}

PQ_API int pmuq_opened_reset(struct pmuq_opened *opened, struct pmuq_error **reterr)
{
	return switch_all(opened, PQ_SWITCH_RESET, "reset", reterr);
}

PQ_API size_t pmuq_opened_target_count(const struct pmuq_opened *opened, size_t index)
{
	const struct pq_opened_set *set = pq_opened_set_of(opened, index);

	return set ? set->n_targets : 0;
}

PQ_API bool pmuq_opened_target(const struct pmuq_opened *opened, size_t index, size_t target,
			       struct pmuq_target *ret)
{
	const struct pq_opened_set *set = pq_opened_set_of(opened, index);
	struct pmuq_target found = { .size = sizeof(found) };
	size_t slot;

	if (!set || target >= set->n_targets || pq_sized_check(ret, NULL) < 0)
		return false;
	slot = target * set->n + opened->indexes[index].member;
	found.cpu = set->cpus[target];
	found.fd = set->fds[slot];
	found.id = set->ids[slot];
	found.read_format = set->read_format;
	pq_sized_give(&found, sizeof(found), ret);
	return true;
}
