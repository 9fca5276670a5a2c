/* SPDX-License-Identifier: MIT */
/* The object of opened events: switched, read, closed. */
#include "core/error.h"
#include "open/kept.h"
#include <errno.h>

int pq_opened_fail(int errnum, const char *what, struct pmuq_error **reterr)
{
	pq_fail(reterr, PMUQ_E_EVENT_FAILED, "the kernel does not %s an opened event: %s", what,
		pmuq_errno_name(errnum));
	pq_error_errno(reterr, errnum);
	if (errnum == ENODATA)
		pq_error_hint(reterr, "it is pinned, and lost its counter: open it without the "
				      "modifier D, or fewer events at once");
	return -PMUQ_E_EVENT_FAILED;
}

const struct pq_kept *pq_kept_of(const struct pmuq_opened *opened, size_t index)
{
	if (!opened || index >= opened->n || opened->index[index].set == SIZE_MAX)
		return NULL;
	return &opened->sets[opened->index[index].set];
}

static size_t slot(const struct pmuq_opened *opened, size_t index, size_t place)
{
	const struct pq_kept *kept = pq_kept_of(opened, index);

	if (!kept || place >= kept->n_places)
		return SIZE_MAX;
	return place * kept->n + opened->index[index].member;
}

static void close_set(const struct pmuq_opened *opened, struct pq_kept *kept)
{
	/* Members before their leader: one whose leader is gone would start on its own. */
	for (size_t i = kept->n * kept->n_places; i-- > 0;)
		pq_kernel_close(&opened->kernel, kept->fds[i]);
	free(kept->fds);
	free(kept->ids);
	free(kept->cpus);
	free(kept->zeros);
}

PQ_API void pmuq_opened_free(struct pmuq_opened *opened)
{
	if (!opened)
		return;
	for (size_t i = 0; i < opened->n_sets; i++)
		close_set(opened, &opened->sets[i]);
	pmuq_verdicts_free(opened->verdicts);
	free(opened->sets);
	free(opened->index);
	free(opened->room);
	free(opened->sums);
	free(opened);
}

void pq_openedp_free(struct pmuq_opened **opened)
{
	pmuq_opened_free(*opened);
	*opened = NULL;
}

PQ_API size_t pmuq_opened_count(const struct pmuq_opened *opened)
{
	return opened ? opened->n : 0;
}

PQ_API const struct pmuq_verdicts *pmuq_opened_verdicts(const struct pmuq_opened *opened)
{
	return opened ? opened->verdicts : NULL;
}

static int switch_all(struct pmuq_opened *opened, enum pq_switch to, const char *what,
		      struct pmuq_error **reterr)
{
	int first = 0, r;

	for (size_t i = 0; opened && i < opened->n_sets; i++) {
		const struct pq_kept *kept = &opened->sets[i];

		for (size_t k = 0; k < kept->n_places; k++) {
			r = opened->kernel.switch_event(opened->kernel.self, kept->fds[k * kept->n],
							to);
			if (r == 0 && to == PQ_SWITCH_RESET)
				r = pq_kept_zero(opened, kept, k);
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

PQ_API size_t pmuq_opened_place_count(const struct pmuq_opened *opened, size_t index)
{
	const struct pq_kept *kept = pq_kept_of(opened, index);

	return kept ? kept->n_places : 0;
}

PQ_API int pmuq_opened_cpu(const struct pmuq_opened *opened, size_t index, size_t place)
{
	const struct pq_kept *kept = pq_kept_of(opened, index);

	return kept && place < kept->n_places ? kept->cpus[place] : -1;
}

PQ_API int pmuq_opened_fd(const struct pmuq_opened *opened, size_t index, size_t place)
{
	size_t i = slot(opened, index, place);

	return i < SIZE_MAX ? pq_kept_of(opened, index)->fds[i] : -1;
}

PQ_API uint64_t pmuq_opened_id(const struct pmuq_opened *opened, size_t index, size_t place)
{
	size_t i = slot(opened, index, place);

	return i < SIZE_MAX ? pq_kept_of(opened, index)->ids[i] : 0;
}

PQ_API uint64_t pmuq_opened_read_format(const struct pmuq_opened *opened, size_t index)
{
	const struct pq_kept *kept = pq_kept_of(opened, index);

	if (!kept)
		return 0;
	return kept->n > 1 ? PQ_READ_GROUP : PQ_READ_TIMES;
}
