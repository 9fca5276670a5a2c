/* SPDX-License-Identifier: MIT */
/* Cleanup by scope for the objects of the public API; core/base.h has the rest of such words. */
#pragma once

#include "core/base.h"
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>

/* NAME_freep() for cleanup(), which passes a pointer to the variable. */
#define FREEP(name, object)                                                                        \
	static inline void name##_freep(struct pmuq_##object **p)                                  \
	{                                                                                          \
		pmuq_##object##_free(*p);                                                          \
	}

// clang-format off
FREEP(error, error)
FREEP(source, source)
FREEP(catalog, catalog)
FREEP(encodings, encodings)
FREEP(opens, open_results)
FREEP(check, check)
FREEP(counts, counts)
FREEP(pfm, pfm)
FREEP(pfm_encodings, pfm_encodings)
FREEP(pfm_events, pfm_events)
FREEP(vendor, vendor)
FREEP(recording, recording)
FREEP(diff, diff)
FREEP(reader, reader)
FREEP(store, store)
FREEP(capture, capture)
FREEP(hosts, hosts)
FREEP(vendors, vendors)
// clang-format on
