/* SPDX-License-Identifier: MIT */
/*
 * Objects of the API are freed when the scope ends, unless move() has emptied their pointer:
 *
 *     cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
 */
#pragma once

#include "core/base.h"
#include <pmuq/pmuq.h>

#define PQ_FREEP(object)                                                                           \
	static inline void object##_freep(struct object **p)                                       \
	{                                                                                          \
		object##_free(*p);                                                                 \
	}

/* Most commands have none of these. Nothing is called then, so that the kernel need not map the
 * code that would free it. */
#define PQ_FREEP_IF_ANY(object)                                                                    \
	static inline void object##_freep(struct object **p)                                       \
	{                                                                                          \
		if (*p)                                                                            \
			object##_free(*p);                                                         \
	}

PQ_FREEP(pmuq_capture)
PQ_FREEP(pmuq_catalog)
PQ_FREEP(pmuq_check)
PQ_FREEP(pmuq_counts)
PQ_FREEP(pmuq_diff)
PQ_FREEP(pmuq_encodings)
PQ_FREEP(pmuq_error)
PQ_FREEP_IF_ANY(pmuq_fit)
PQ_FREEP(pmuq_formula)
PQ_FREEP_IF_ANY(pmuq_hosts)
PQ_FREEP(pmuq_importer)
PQ_FREEP_IF_ANY(pmuq_metric_groups)
PQ_FREEP_IF_ANY(pmuq_metric_plan)
PQ_FREEP_IF_ANY(pmuq_metrics)
PQ_FREEP(pmuq_names)
PQ_FREEP(pmuq_open_results)
PQ_FREEP(pmuq_opened)
PQ_FREEP_IF_ANY(pmuq_pfm)
PQ_FREEP(pmuq_pfm_encodings)
PQ_FREEP(pmuq_pfm_events)
PQ_FREEP(pmuq_pfm_pmus)
PQ_FREEP(pmuq_pfm_raw)
PQ_FREEP(pmuq_reader)
PQ_FREEP(pmuq_rejections)
PQ_FREEP(pmuq_samples)
PQ_FREEP(pmuq_recording)
PQ_FREEP(pmuq_source)
PQ_FREEP_IF_ANY(pmuq_store)
PQ_FREEP_IF_ANY(pmuq_vendor)
PQ_FREEP(pmuq_vendors)
PQ_FREEP(pmuq_watch)
PQ_FREEP(pmuq_writer)
