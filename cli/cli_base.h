/* SPDX-License-Identifier: MIT */
/* Cleanup by scope for the objects of the public API; core/base.h has the rest of such words. */
#ifndef PQ_CLI_BASE_H
#define PQ_CLI_BASE_H

#include "core/base.h"
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>

static inline void error_freep(struct pmuq_error **p)
{
	pmuq_error_free(*p);
}

static inline void source_freep(struct pmuq_source **p)
{
	pmuq_source_free(*p);
}

static inline void catalog_freep(struct pmuq_catalog **p)
{
	pmuq_catalog_free(*p);
}

static inline void encodings_freep(struct pmuq_encodings **p)
{
	pmuq_encodings_free(*p);
}

static inline void opens_freep(struct pmuq_open_results **p)
{
	pmuq_open_results_free(*p);
}

static inline void check_freep(struct pmuq_check **p)
{
	pmuq_check_free(*p);
}

static inline void counts_freep(struct pmuq_counts **p)
{
	pmuq_counts_free(*p);
}

static inline void pfm_freep(struct pmuq_pfm **p)
{
	pmuq_pfm_free(*p);
}

static inline void pfm_encodings_freep(struct pmuq_pfm_encodings **p)
{
	pmuq_pfm_encodings_free(*p);
}

static inline void pfm_events_freep(struct pmuq_pfm_events **p)
{
	pmuq_pfm_events_free(*p);
}

static inline void vendor_freep(struct pmuq_vendor **p)
{
	pmuq_vendor_free(*p);
}

static inline void recording_freep(struct pmuq_recording **p)
{
	pmuq_recording_free(*p);
}

static inline void diff_freep(struct pmuq_diff **p)
{
	pmuq_diff_free(*p);
}

static inline void reader_freep(struct pmuq_reader **p)
{
	pmuq_reader_free(*p);
}

static inline void store_freep(struct pmuq_store **p)
{
	pmuq_store_free(*p);
}

#endif
