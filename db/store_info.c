/* SPDX-License-Identifier: MIT */
/* The build info; here because the library of the store can be missing. */
#include "core/build_info.h"
#include "db/postgres/pg_lib.h"
#include "db/schema.h"
#include "db/sqlite/sqlite_lib.h"
#include <pmuq/pmuq.h>

PQ_API char *pmuq_build_info(void)
{
	cleanup(pq_buf_free) struct pq_buf buf = PQ_BUF_NULL;
	int r;

	pq_build_info_print(&buf);
	pq_buf_print(&buf, "store schema: %u\n", pq_schema.n);
	pq_buf_add(&buf, STR("libsqlite3: "));
	r = pq_sqlite_version(&buf);
	if (r == -PMUQ_E_MEMORY)
		return NULL;
	if (r < 0)
		pq_buf_add(&buf, STR("not found (package libsqlite3-0): no scan, no --host"));
	pq_buf_add(&buf, STR("\nlibpq: "));
	r = pq_libpq_version(&buf);
	if (r == -PMUQ_E_MEMORY)
		return NULL;
	if (r < 0)
		pq_buf_add(&buf, STR("not found (package libpq5): no --db postgresql://…"));
	pq_buf_char(&buf, '\n', 1);
	return pq_buf_take(&buf);
}
