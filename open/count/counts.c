/* SPDX-License-Identifier: MIT */
/*
 * The memory of the counts, and the public functions. count_set.c fills in one set, split_group.c
 * what is true for a group.
 */
#include "open/count/counts.h"
#include "core/freep.h"

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
			.record = { .size = sizeof(counts->v[i].record),
				    .status = PMUQ_NOT_COUNTED,
				    .subgroup = SIZE_MAX,
				    .breaker = SIZE_MAX },
		};
	return counts;
}

PQ_API void pmuq_counts_free(struct pmuq_counts *counts)
{
	free(counts);
}

void pq_counts_complete(struct pmuq_counts *counts)
{
	for (size_t i = 0; i < counts->n; i++) {
		struct pmuq_count *record = &counts->v[i].record;
		const struct pmuq_count *leader = &counts->v[counts->v[i].leader].record;

		if (!record->is_grouped)
			continue;
		record->n_subgroups = leader->n_subgroups;
		record->breaker = leader->breaker;
	}
}

PQ_API size_t pmuq_counts_count(const struct pmuq_counts *counts)
{
	return counts ? counts->n : 0;
}

PQ_API const struct pmuq_count *pmuq_counts_get(const struct pmuq_counts *counts, size_t index)
{
	return counts && index < counts->n ? &counts->v[index].record : NULL;
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
