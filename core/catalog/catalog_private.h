/* SPDX-License-Identifier: MIT */
/* The members of a catalog, for the files that build it and that query it. */
#pragma once

#include "core/catalog/catalog.h"
#include <pmuq/catalog.h>

/* A name of an event, and the PMUs that have the event in this spelling or in another one that the
 * name finds. */
struct pq_event_entry {
	struct pmuq_str name;
	struct pq_pmu_list pmus;
};

struct pmuq_catalog {
	struct pq_arena arena;
	struct pmuq_machine machine;
	const struct pmuq_pmu *pmu_array;   /* in the order of pq_pmu_compare() */
	const struct pmuq_pmu *const *pmus; /* each of them */
	const struct pq_def *const *defs;
	const struct pmuq_problem *problems;
	const struct pmuq_tracepoint *tracepoints; /* by subsystem, then name */
	size_t n_defs;
	struct pq_pmu_list core;
	struct pmuq_check *check;    /* owned; NULL: the machine was not checked */
	struct pmuq_catalog *base;   /* owns everything except the facts; NULL: this catalog does */
	unsigned references;	     /* references: its owner, and catalogs whose base it is */
	struct pmuq_catalog *shared; /* itself, to be freed; const is for all others */

	struct pq_map by_name, by_alias; /* of pmu_array */
	const struct pq_event_entry *events;
	size_t n_events;
	struct pq_map by_event;
	bool has_upper; /* a definition has it */
};

/* Fills the indexes of a catalog whose arrays are complete. False when out of memory. */
bool pq_catalog_index(struct pmuq_catalog *catalog);
