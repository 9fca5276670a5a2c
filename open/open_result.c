/* SPDX-License-Identifier: MIT */
/*
 * The memory of the open results, and the public functions. open.c and diagnose/ decide what a
 * result is; a result that is final does not change any more.
 */
#include "open/open_result.h"
#include "core/freep.h"
#include "core/limits.h"
#include <assert.h>

struct pmuq_open_results *pq_open_results_new(size_t n)
{
	/* The list itself takes less than one more result. */
	struct pmuq_open_results *results = calloc(n + 1, sizeof(results->v[0]));

	static_assert(sizeof(*results) <= sizeof(results->v[0]), "n + 1 results are enough");
	if (!results)
		return NULL;
	results->n = n;
	for (size_t i = 0; i < n; i++)
		results->v[i].record.size = sizeof(results->v[i].record);
	results->arena = PQ_ARENA(PQ_OPEN_RESULTS_MAX_BYTES);
	return results;
}

PQ_API void pmuq_open_results_free(struct pmuq_open_results *results)
{
	if (!results)
		return;
	pq_arena_clear(&results->arena);
	free(results);
}

void pq_open_result_finish(struct pmuq_open_results *results, size_t index,
			   const struct pq_open_result *result)
{
	struct pq_open_result *kept = &results->v[index];

	*kept = *result;
	kept->is_final = true;
	kept->record.size = sizeof(kept->record);
	kept->record.steps = kept->steps;
}

PQ_API size_t pmuq_open_results_count(const struct pmuq_open_results *results)
{
	return results ? results->n : 0;
}

PQ_API const struct pmuq_open_result *pmuq_open_results_get(const struct pmuq_open_results *results,
							    size_t index)
{
	return results && index < results->n ? &results->v[index].record : NULL;
}

void pq_open_result_skip(struct pmuq_open_results *results, size_t index, const char *reason)
{
	const struct pq_open_result skipped = {
		.record = { .status = PMUQ_SKIPPED,
			    .cpus = STR("-1"),
			    .reason = str_of(reason) },
	};

	pq_open_result_finish(results, index, &skipped);
}
