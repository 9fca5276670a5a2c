/* SPDX-License-Identifier: MIT */
/*
 * What pmuq does with a perf_event_attr as such: its config words by number, and the smallest
 * published size that holds it. The layout is include/pmuq/attr.h, its fields
 * core/attr/attr_fields.h.
 */
#ifndef PQ_ATTR_H
#define PQ_ATTR_H

#include "core/str.h"
#include <pmuq/attr.h>

/* config, config1 … config4. */
#define PQ_CONFIG_WORDS 5

/* Types that the kernel fixed (perf_event_open(2), "type"). */
enum {
	PQ_TYPE_HARDWARE = 0,
	PQ_TYPE_SOFTWARE = 1,
	PQ_TYPE_TRACEPOINT = 2,
	PQ_TYPE_HW_CACHE = 3,
	PQ_TYPE_RAW = 4,
	PQ_TYPE_BREAKPOINT = 5,
};

uint64_t *pq_attr_config(struct pmuq_attr *attr, unsigned word);
/* "config", "config1" … */
struct pmuq_str pq_attr_config_name(unsigned word);
/* The smallest of the kernel's published sizes that reaches the last byte that is not zero. */
uint32_t pq_attr_fit_size(const struct pmuq_attr *attr);

#endif
