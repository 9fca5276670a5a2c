/* SPDX-License-Identifier: MIT */
#include "open/count/counts.h"
#include "core/sized.h"

struct pmuq_counts *pq_counts_new(size_t n)
{
	struct pmuq_counts *counts;
	size_t bytes;

	if (__builtin_mul_overflow(n, sizeof(counts->v[0]), &bytes) ||
	    __builtin_add_overflow(bytes, sizeof(*counts), &bytes))
		return NULL;
	counts = calloc(1, bytes);
	if (!counts)
		return NULL;
	counts->n = n;
	for (size_t i = 0; i < n; i++)
		counts->v[i] = (struct pq_count){
			.status = PMUQ_NOT_COUNTED,
			.part = SIZE_MAX,
			.breaker = SIZE_MAX,
		};
	return counts;
}

PQ_API void pmuq_counts_free(struct pmuq_counts *counts)
{
	free(counts);
}

void pq_counts_freep(struct pmuq_counts **counts)
{
	pmuq_counts_free(*counts);
}

static const struct pq_count *at(const struct pmuq_counts *counts, size_t index)
{
	return counts && index < counts->n ? &counts->v[index] : NULL;
}

PQ_API size_t pmuq_counts_count(const struct pmuq_counts *counts)
{
	return counts ? counts->n : 0;
}

PQ_API enum pmuq_counting pmuq_count_status(const struct pmuq_counts *counts, size_t index)
{
	const struct pq_count *count = at(counts, index);

	return count ? count->status : PMUQ_NOT_COUNTED;
}

PQ_API const char *pmuq_counting_name(enum pmuq_counting status)
{
	static const char *const names[] = {
		[PMUQ_COUNTED] = "counted",	    [PMUQ_MULTIPLEXED] = "multiplexed",
		[PMUQ_ALWAYS_ZERO] = "always-zero", [PMUQ_NEVER_SCHEDULED] = "never-scheduled",
		[PMUQ_TARGET_IDLE] = "target-idle", [PMUQ_NOT_COUNTED] = "not-counted",
	};

	return (size_t)status < COUNT(names) ? names[status] : NULL;
}

PQ_API int pmuq_count_errno(const struct pmuq_counts *counts, size_t index)
{
	const struct pq_count *count = at(counts, index);

	return count ? count->errnum : 0;
}

PQ_API bool pmuq_count_reading(const struct pmuq_counts *counts, size_t index,
			       struct pmuq_reading *ret)
{
	const struct pq_count *count = at(counts, index);

	if (!count || !count->is_read || pq_sized_check(ret, NULL) < 0)
		return false;
	pq_sized_give(&count->reading, sizeof(count->reading), ret);
	return true;
}

PQ_API bool pmuq_counts_group(const struct pmuq_counts *counts, size_t index, size_t *ret_parts,
			      size_t *ret_breaker)
{
	const struct pq_count *count = at(counts, index);
	const struct pq_count *leader =
		count && count->is_grouped ? at(counts, count->leader) : NULL;

	if (!leader)
		return false;
	*ret_parts = leader->n_parts;
	*ret_breaker = leader->breaker;
	return true;
}

PQ_API size_t pmuq_count_part(const struct pmuq_counts *counts, size_t index)
{
	const struct pq_count *count = at(counts, index);

	return count ? count->part : SIZE_MAX;
}

PQ_API bool pmuq_count_page(const struct pmuq_counts *counts, size_t index, struct pmuq_page *ret)
{
	const struct pq_count *count = at(counts, index);

	if (!count || !count->has_page || pq_sized_check(ret, NULL) < 0)
		return false;
	pq_sized_give(&count->page, sizeof(count->page), ret);
	return true;
}

PQ_API const char *pmuq_count_page_reason(const struct pmuq_counts *counts, size_t index)
{
	const struct pq_count *count = at(counts, index);

	return count ? count->page_reason : NULL;
}
