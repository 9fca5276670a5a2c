/* SPDX-License-Identifier: MIT */
/* Replaces this module in a build without it. */
#include "core/build_info.h"
#include <pmuq/pmuq.h>

PQ_API char *pmuq_build_info(void)
{
	struct pq_buf buf = PQ_BUF_NULL;

	pq_build_info_print(&buf);
	pq_buf_add(&buf, STR("store schema: none, built without a store\n"));
	return pq_buf_take(&buf);
}
