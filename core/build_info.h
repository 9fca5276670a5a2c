/* SPDX-License-Identifier: MIT */
/* The lines of pmuq_build_info() that are the same with and without a store. */
#ifndef PQ_BUILD_INFO_H
#define PQ_BUILD_INFO_H

#include "core/buf.h"

void pq_build_info_print(struct pq_buf *buf);

#endif
