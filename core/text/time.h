/* SPDX-License-Identifier: MIT */
/* Times of documents: seconds since 1970 as "2026-11-21T19:30:19Z". */
#pragma once

#include "core/buf.h"

/* False for a time before 1970 or after 9999. */
bool pq_time_print(struct pq_buf *buf, int64_t time_s);
bool pq_time_read(struct pmuq_str text, int64_t *ret);
