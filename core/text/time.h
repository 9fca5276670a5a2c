/* SPDX-License-Identifier: MIT */
/* Times of documents: seconds since 1970 as "2026-11-21T19:30:19Z". */
#pragma once

#include "core/buf.h"

/* Whether it can be written: not before 1970, and not after 9999. */
bool pq_time_is_valid(int64_t time_s);
/* False if it is not valid. */
bool pq_time_print(struct pq_buf *buf, int64_t time_s);
bool pq_time_read(struct pmuq_str text, int64_t *ret);
