/* SPDX-License-Identifier: MIT */
/* The lines of pmuq_build_info() that are the same with and without a store. */
#pragma once

#include "core/buf.h"

void pq_build_info_print(struct pq_buf *buf);
