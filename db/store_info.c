/* SPDX-License-Identifier: MIT */
/* The build info; here because the library of the store can be missing. */
#include "core/build_info.h"
#include "db/sqlite/schema.h"
#include <pmuq/pmuq.h>

PQ_API char *pmuq_build_info(void)
{
	struct pq_buf buf = PQ_BUF_NULL;

	pq_build_info_print(&buf);
	pq_buf_print(&buf, "store schema: %u\n", pq_schema.n);
	pq_buf_add(&buf, STR("libsqlite3: "));
	if (!pq_sqlite_version(&buf))
		pq_buf_add(&buf, STR("not found (package libsqlite3-0): no scan, no --host"));
	pq_buf_char(&buf, '\n', 1);
	return pq_buf_take(&buf);
}
