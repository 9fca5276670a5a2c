/* SPDX-License-Identifier: MIT */
/* One event of a vendor's table: what the API tells of it. */
#include "core/vendor/vendor_table.h"
#include <pmuq/pmuq.h>

PQ_API const char *pmuq_vendor_event_name(const struct pmuq_vendor_event *event)
{
	return event->event.name.p;
}

PQ_API const char *pmuq_vendor_event_pmu(const struct pmuq_vendor_event *event)
{
	return event->pmu.p;
}

PQ_API const char *pmuq_vendor_event_terms(const struct pmuq_vendor_event *event)
{
	return event->event.terms.p;
}

PQ_API const char *pmuq_vendor_event_unit(const struct pmuq_vendor_event *event)
{
	return event->event.unit.p;
}

PQ_API const char *pmuq_vendor_event_scale(const struct pmuq_vendor_event *event)
{
	return event->event.scale.p;
}

PQ_API bool pmuq_vendor_event_is_per_pkg(const struct pmuq_vendor_event *event)
{
	return event->event.is_per_pkg;
}

PQ_API bool pmuq_vendor_event_is_deprecated(const struct pmuq_vendor_event *event)
{
	return event->is_deprecated;
}

PQ_API const char *pmuq_vendor_event_topic(const struct pmuq_vendor_event *event)
{
	return event->topic.p;
}

PQ_API const char *pmuq_vendor_event_description(const struct pmuq_vendor_event *event)
{
	return event->description.p;
}

PQ_API const char *pmuq_vendor_event_long_description(const struct pmuq_vendor_event *event)
{
	return event->long_description.p;
}

PQ_API const char *pmuq_vendor_event_compat(const struct pmuq_vendor_event *event)
{
	return event->compat.p;
}
