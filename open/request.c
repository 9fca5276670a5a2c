/* SPDX-License-Identifier: MIT */
/* Facts about a single request that do not depend on the host or the kernel. */
#include "open/request.h"
#include "core/cpulist.h"

/* perf invents types from here on for its own pseudo events; the kernel assigns none of them. */
#define TYPE_PSEUDO UINT32_C(0x80000000)

int pq_open_first_cpu(const struct pq_open_request *request, struct pmuq_str fallback)
{
	struct pmuq_str list = str_trim(str_of(request->cpus));
	unsigned cpu = pq_cpus_text_next(list.n ? list : fallback, 0);

	return cpu < PQ_CPUS_MAX ? (int)cpu : 0;
}

const char *pq_open_skip_reason(const struct pq_open_request *request)
{
	if (!request->attr)
		return "the event has no attr: there is nothing to open";
	if (request->attr->type >= TYPE_PSEUDO)
		return "a tool computes this event itself: no kernel has a PMU of its type";
	if (request->attr->size > PMUQ_ATTR_SIZE_MAX)
		return "the attr is larger than the layout that pmuq supports";
	return NULL;
}
