/* SPDX-License-Identifier: MIT */
/* In the helper: which libpfm4 this is. Several releases have one version number. */
#pragma once

#include "core/buf.h"

/* The name of the file that holds a function of the library, and its build id in hex: empty where
 * it cannot be told. */
void pq_pfm_library(const void *function, struct pq_buf *ret_file, struct pq_buf *ret_build_id);
