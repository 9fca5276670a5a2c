/* SPDX-License-Identifier: MIT */
/* The lists as the API shows them. */
#include "pfm/pfm_lists.h"

PQ_API size_t pmuq_pfm_pmus_count(const struct pmuq_pfm_pmus *pmus)
{
	return pmus->n;
}

PQ_API const struct pmuq_pfm_pmu *pmuq_pfm_pmus_get(const struct pmuq_pfm_pmus *pmus, size_t index)
{
	return index < pmus->n ? &pmus->v[index] : NULL;
}

PQ_API size_t pmuq_pfm_events_count(const struct pmuq_pfm_events *events)
{
	return events->n;
}

PQ_API const struct pmuq_pfm_event *pmuq_pfm_events_get(const struct pmuq_pfm_events *events,
							size_t index)
{
	return index < events->n ? &events->v[index].record : NULL;
}

PQ_API const struct pmuq_pfm_attribute *pmuq_pfm_event_attribute(const struct pmuq_pfm_event *event,
								 size_t index)
{
	const struct pq_pfm_listed_event *listed = (const struct pq_pfm_listed_event *)event;

	return index < event->n_attributes ? &listed->attributes[index] : NULL;
}
