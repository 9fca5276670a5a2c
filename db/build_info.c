/* SPDX-License-Identifier: MIT */
/* What a bug report needs first. Stands here since the store's library is the one that may be
 * missing. */
#include "core/attr.h"
#include "db/db.h"
#include <linux/perf_event.h>
#include <pmuq/pmuq.h>

/* The newest size that the header of the build machine names. */
#if defined(PERF_ATTR_SIZE_VER9)
#define HEADER_ATTR_SIZE PERF_ATTR_SIZE_VER9
#elif defined(PERF_ATTR_SIZE_VER8)
#define HEADER_ATTR_SIZE PERF_ATTR_SIZE_VER8
#else
#define HEADER_ATTR_SIZE PERF_ATTR_SIZE_VER7
#endif

PQ_API char *pmuq_build_info(void)
{
	struct pq_buf buf = PQ_BUF_NULL;

	pq_buf_print(&buf, "compiler: %s\n", PMUQ_COMPILER);
	pq_buf_print(&buf, "options: %s\n", PMUQ_OPTIONS);
	pq_buf_print(
		&buf,
		"perf_event_attr: %d bytes, through config4; %u in the header it was built with\n",
		PMUQ_ATTR_SIZE_MAX, (unsigned)HEADER_ATTR_SIZE);
	pq_buf_print(&buf, "store schema: %u\n", pq_store_schema_version());
	pq_buf_add(&buf, STR("libsqlite3: "));
	if (!pq_sqlite_version(&buf))
		pq_buf_add(&buf, STR("not found (package libsqlite3-0): no scan, no --host"));
	pq_buf_char(&buf, '\n', 1);
	return pq_buf_take(&buf);
}
