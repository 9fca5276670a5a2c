/* SPDX-License-Identifier: MIT */
/*
 * Objects of the API are freed when the scope ends, unless move() has emptied their pointer:
 *
 *     cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
 */
#pragma once

#include <pmuq/pmuq.h>

#define PQ_FREEP(object)                                                                           \
	static inline void object##_freep(struct object **p)                                       \
	{                                                                                          \
		object##_free(*p);                                                                 \
	}

PQ_FREEP(pmuq_capture)
PQ_FREEP(pmuq_catalog)
PQ_FREEP(pmuq_check)
PQ_FREEP(pmuq_counts)
PQ_FREEP(pmuq_encodings)
PQ_FREEP(pmuq_error)
PQ_FREEP(pmuq_names)
PQ_FREEP(pmuq_open_results)
PQ_FREEP(pmuq_opened)
PQ_FREEP(pmuq_pfm_encodings)
PQ_FREEP(pmuq_pfm_events)
PQ_FREEP(pmuq_pfm_pmus)
PQ_FREEP(pmuq_recording)
PQ_FREEP(pmuq_store)
