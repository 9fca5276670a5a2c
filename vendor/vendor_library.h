/* SPDX-License-Identifier: MIT */
/* Whether the names of libpfm4 in a store are those of the library that is installed. */
#pragma once

#include "core/buf.h"

/* Adds what differs between a file and its next release: "BYTES SECONDS.NANOSECONDS PATH", the time
 * of the last change. Adds nothing if there is no such file. */
void pq_vendor_library_describe(struct pmuq_str path, struct pq_buf *ret);
