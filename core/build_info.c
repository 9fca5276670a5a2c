/* SPDX-License-Identifier: MIT */
/* How this library was built, for bug reports. */
#include "core/build_info.h"
#include "core/attr/attr.h"
#include <linux/perf_event.h>
#include <pmuq/pmuq.h>

/* The newest size in the header of the build machine. */
#if defined(PERF_ATTR_SIZE_VER9)
#define HEADER_ATTR_SIZE PERF_ATTR_SIZE_VER9
#elif defined(PERF_ATTR_SIZE_VER8)
#define HEADER_ATTR_SIZE PERF_ATTR_SIZE_VER8
#else
#define HEADER_ATTR_SIZE PERF_ATTR_SIZE_VER7
#endif

void pq_build_info_print(struct pq_buf *buf)
{
	pq_buf_print(buf, "compiler: %s\n", PMUQ_COMPILER);
	pq_buf_print(buf, "options: %s\n", PMUQ_OPTIONS);
	pq_buf_print(
		buf,
		"perf_event_attr: %d bytes, through config4; %u in the header it was built with\n",
		PMUQ_ATTR_SIZE_MAX, (unsigned)HEADER_ATTR_SIZE);
}

PQ_API const char *pmuq_version(void)
{
	return PMUQ_VERSION;
}
