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

bool pq_metric_finish(struct pq_arena *arena, struct pq_metric *metric)
{
	metric->record.size = sizeof(metric->record);
	return split(arena, metric);
}

bool pq_metrics_finish(struct pmuq_metrics *metrics)
{
	return pq_map_build(&metrics->arena, PQ_NAMED(metrics->v, name), metrics->n,
			    &metrics->by_name);
}

size_t pq_metrics_first(const struct pmuq_metrics *metrics, struct pmuq_str name)
{
	const struct pq_metric_key *key =
		pq_map_find(&metrics->by_name, PQ_NAMED(metrics->v, name), name);

	return key ? (size_t)(key - metrics->v) : metrics->n;
}

int pq_metrics_find(const struct pmuq_metrics *metrics, size_t index, const struct pq_metric **ret,
		    struct pmuq_error **reterr)
{
	const struct pq_metric_key *key = &metrics->v[index];
	int r = key->metric ? 0 : metrics->reader.read(metrics->reader.arg, index, reterr);

	if (r == 0)
		*ret = key->metric;
	return r;
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
	const struct pq_metric *metric;

	if (index >= metrics->n || pq_metrics_find(metrics, index, &metric, NULL) < 0)
		return NULL;
	return &metric->record;
}
