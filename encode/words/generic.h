/* SPDX-License-Identifier: MIT */
/*
 * The generic events of perf_event_open(2), "config": hardware and cache events, which every core
 * PMU counts; software events; and events that only perf has. Their names are not case-sensitive.
 */
#pragma once

#include "core/str.h"
#include <pmuq/pmuq.h>

enum pq_generic_type {
	PQ_GENERIC_HARDWARE,
	PQ_GENERIC_CACHE,
	PQ_GENERIC_SOFTWARE,
	PQ_GENERIC_PSEUDO,
};

struct pq_generic {
	enum pq_generic_type type;
	uint64_t config;
};

bool pq_generic_find(struct pmuq_str word, struct pq_generic *ret);
/* Whether a legacy-cache-config has a type, an operation and a result that exist. */
bool pq_cache_config_is_valid(uint64_t config);
/* Ids of hardware and of software events end before these, and each has a name. */
#define PQ_HARDWARE_COUNT 10u
#define PQ_SOFTWARE_COUNT 12u

/* Software events that count nanoseconds and are printed in milliseconds. */
bool pq_software_is_clock(uint64_t config);
#define PQ_SOFTWARE_DUMMY 9u
#define PQ_SOFTWARE_BPF_OUTPUT 10u

/* The n-th name of an event, the usual one first; the name of a cache event is made in `bytes`. An
 * empty slice after the last, and for an event without a name. */
struct pmuq_str pq_generic_name(struct pq_generic generic, size_t index, char *bytes);

/* The n-th spelling, for hints; an empty slice after the last. Cache words are not listed. */
struct pmuq_str pq_generic_at(size_t index);
