/* SPDX-License-Identifier: MIT */
/* In the helper: libpfm4's tables, read on demand. */
#pragma once

#include "core/map.h"
#include "pfm/protocol.h"
#include <pmuq/libpfm4.h>

struct pq_pfm_attributes {
	struct pmuq_pfm_attribute *v;
	size_t n;
	bool is_read;
};

struct pq_pfm_event {
	struct pmuq_str name, description, same; /* same: the name that it is an alias of */
	struct pmuq_pfm_attribute *attributes;
	size_t n_attributes;
	struct pq_pfm_attributes layers[PMUQ_PFM_LAYER_PERF_EXT]; /* of the other layers */
	uint64_t code;
	int index; /* owned by libpfm4, valid until the helper ends */
	unsigned data_type;
	enum pmuq_pfm_speculation speculation;
	bool is_precise, has_hw_sample;
	bool has_attributes; /* what was read */
};

struct pq_pfm_pmu {
	struct pmuq_str key; /* the name in lower case */
	struct pmuq_str name, description;
	struct pmuq_str stem;  /* of an instance: the name without its number, else empty */
	struct pmuq_str sysfs; /* the kernel's name; valid if has_sysfs */
	uint32_t instance;     /* the number, or PQ_PFM_NO_INSTANCE */
	unsigned type;	       /* enum pmuq_pfm_pmu_type */
	struct pq_pfm_event *events;
	size_t n_events, n_expected; /* read, and as libpfm4 counts them */
	int first;		     /* libpfm4's index of the first event; negative: none */
	uint32_t id, n_counters, n_fixed, n_codes_max; /* as in struct pmuq_pfm_pmu */
	bool is_present, is_of_architecture, has_events, has_sysfs;
	bool is_fitted; /* its table is known after pq_pfm_tables_detect() */
};

/* A larger number at the end of a PMU's name is not the number of an instance. */
#define PQ_PFM_INSTANCE_MAX 9999u

/* All instances of one name, in order. */
struct pq_pfm_family {
	struct pmuq_str key;
	struct pq_pfm_pmu *first;
};

struct pq_pfm_tables {
	struct pq_arena arena; /* all arrays, until the helper ends */
	struct pq_pfm_pmu *pmus;
	struct pq_pfm_family *families;
	size_t n_pmus, n_families;
	struct pq_map pmus_by_key, families_by_key;
	bool is_detected;
	unsigned companions_left; /* how many more names of the request get them in their hint */
};

/* Starts libpfm4 with an environment of its own, before any other function here. It may be called
 * once, with *ret zeroed: libpfm4 is global. False if it does not start, or out of memory. The
 * caller clears the arena, also then. */
bool pq_pfm_tables_open(struct pq_pfm_tables *ret);
/* Has libpfm4 find out on which CPU it runs: which PMUs are present, and the tables that it makes
 * for the CPU. Only once; most names need it never. False if libpfm4 does not start again. */
bool pq_pfm_tables_detect(struct pq_pfm_tables *tables);
/* The events of a PMU, and the attributes of an event, are read once. False when out of memory. */
bool pq_pfm_tables_load(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu);
bool pq_pfm_tables_load_event(struct pq_pfm_tables *tables, struct pq_pfm_event *event);
/* The attributes in another layer than that of pq_pfm_tables_load_event(). */
bool pq_pfm_tables_load_layer(struct pq_pfm_tables *tables, struct pq_pfm_event *event,
			      enum pmuq_pfm_layer layer);
/* Finds an event by name, ignoring case; NULL if there is none, or out of memory. */
struct pq_pfm_event *pq_pfm_tables_find_event(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu,
					      struct pmuq_str name);
/* pfm_sysfs.c: sets pmu->sysfs, "" if it is not known. It may call pq_pfm_encode(). False when out
 * of memory. */
bool pq_pfm_tables_find_sysfs(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu);
