/* SPDX-License-Identifier: MIT */
#include "core/vendor/metric_table.h"
#include "core/num.h"
#include <stdlib.h>

/* "1e3per_1k_instr": the longest beginning that is a number, and the unit. A text that does not
 * begin with a number is a unit. */
static bool split(struct pq_arena *arena, struct pq_metric *metric)
{
	struct pmuq_str text = metric->scale_unit;
	size_t n = pq_num_scale_length(text);
	struct pmuq_metric *record = &metric->record;

	record->has_scale = n > 0;
	record->scale = n ? str_part(text, 0, n) : STR("1");
	record->unit = str_trim(str_part(text, n, text.n));
	return pq_arena_keep(arena, &record->scale) && pq_arena_keep(arena, &record->unit);
}

bool pq_metrics_finish(struct pmuq_metrics *metrics)
{
	for (size_t i = 0; i < metrics->n; i++) {
		metrics->v[i].record.size = sizeof(metrics->v[i].record);
		if (!split(&metrics->arena, &metrics->v[i]))
			return false;
	}
	return true;
}

PQ_API void pmuq_metrics_free(struct pmuq_metrics *metrics)
{
	if (!metrics)
		return;
	pq_arena_clear(&metrics->arena);
	free(metrics);
}

PQ_API size_t pmuq_metrics_count(const struct pmuq_metrics *metrics)
{
	return metrics->n;
}

PQ_API const struct pmuq_metric *pmuq_metrics_get(const struct pmuq_metrics *metrics, size_t index)
{
	return index < metrics->n ? &metrics->v[index].record : NULL;
}
