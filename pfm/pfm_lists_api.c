/* SPDX-License-Identifier: MIT */
/* Accessors of PMUs, events and attributes. */
#include "pfm/pfm_lists.h"

PQ_API size_t pmuq_pfm_pmus_count(const struct pmuq_pfm_pmus *pmus)
{
	return pmus->n;
}

PQ_API const struct pmuq_pfm_pmu *pmuq_pfm_pmus_get(const struct pmuq_pfm_pmus *pmus, size_t index)
{
	return index < pmus->n ? &pmus->v[index] : NULL;
}

PQ_API const char *pmuq_pfm_pmu_name(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->name.p;
}

PQ_API const char *pmuq_pfm_pmu_description(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->description.p;
}

PQ_API const char *pmuq_pfm_pmu_sysfs(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->sysfs.p;
}

PQ_API const char *pmuq_pfm_pmu_family(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->family.p;
}

PQ_API uint32_t pmuq_pfm_pmu_instance(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->instance;
}

PQ_API enum pmuq_pfm_pmu_kind pmuq_pfm_pmu_kind(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->kind;
}

PQ_API bool pmuq_pfm_pmu_is_present(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->is_present;
}

PQ_API size_t pmuq_pfm_pmu_event_count(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->n_events;
}

PQ_API size_t pmuq_pfm_events_count(const struct pmuq_pfm_events *events)
{
	return events->n;
}

PQ_API const struct pmuq_pfm_event *pmuq_pfm_events_get(const struct pmuq_pfm_events *events,
							size_t index)
{
	return index < events->n ? &events->v[index] : NULL;
}

PQ_API const char *pmuq_pfm_event_name(const struct pmuq_pfm_event *event)
{
	return event->name.p;
}

PQ_API const char *pmuq_pfm_event_description(const struct pmuq_pfm_event *event)
{
	return event->description.p;
}

PQ_API const char *pmuq_pfm_event_same_as(const struct pmuq_pfm_event *event)
{
	return event->same.p;
}

PQ_API size_t pmuq_pfm_event_attribute_count(const struct pmuq_pfm_event *event)
{
	return event->n_attributes;
}

static const struct pq_pfm_row *row(const struct pmuq_pfm_event *event, size_t index)
{
	return index < event->n_attributes ? &event->attributes[index] : NULL;
}

PQ_API const char *pmuq_pfm_attribute_name(const struct pmuq_pfm_event *event, size_t index)
{
	const struct pq_pfm_row *found = row(event, index);

	return found ? found->name.p : NULL;
}

PQ_API const char *pmuq_pfm_attribute_description(const struct pmuq_pfm_event *event, size_t index)
{
	const struct pq_pfm_row *found = row(event, index);

	return found ? found->description.p : NULL;
}

PQ_API const char *pmuq_pfm_attribute_same_as(const struct pmuq_pfm_event *event, size_t index)
{
	const struct pq_pfm_row *found = row(event, index);

	return found ? found->same.p : NULL;
}

PQ_API enum pmuq_pfm_attribute_kind pmuq_pfm_attribute_kind(const struct pmuq_pfm_event *event,
							    size_t index)
{
	const struct pq_pfm_row *found = row(event, index);

	return found ? found->kind : PMUQ_PFM_UMASK;
}

PQ_API bool pmuq_pfm_attribute_is_default(const struct pmuq_pfm_event *event, size_t index)
{
	const struct pq_pfm_row *found = row(event, index);

	return found && found->is_default;
}
