/* SPDX-License-Identifier: MIT */
/*
 * What a machine offers: the records of <pmuq/catalog.h>. Everything here lives in the arena of a
 * catalog or a source, is immutable once a caller has it, and every str in it is followed by a NUL.
 *
 * Instances share their definition (formats, events, caps); a PMU is a name, a type, its CPUs, and
 * a pointer to its definition.
 */
#pragma once

#include "core/bits.h"
#include "core/map.h"
#include <pmuq/catalog.h>

/* A definition, with internal members that its record does not have. */
struct pq_def {
	struct pmuq_definition record; /* first: callers see this */
	const struct pmuq_format
		*formats; /* each array is in the order of str_cmp() of the names */
	const struct pmuq_event *events;
	struct pq_map formats_by_name, events_by_name;
	uint32_t number; /* its index among those of a catalog */
	bool has_upper;	 /* an event's name has an upper-case letter */
};

static inline const struct pq_def *pq_def_of(const struct pmuq_pmu *pmu)
{
	return (const struct pq_def *)pmu->definition;
}

/* The format or event of that name, or NULL. */
static inline const struct pmuq_format *pq_def_format(const struct pq_def *def,
						      struct pmuq_str name)
{
	return pq_map_find(&def->formats_by_name, PQ_NAMED(def->formats, name), name);
}

static inline const struct pmuq_event *pq_def_event(const struct pq_def *def, struct pmuq_str name)
{
	return pq_map_find(&def->events_by_name, PQ_NAMED(def->events, name), name);
}

struct pq_pmu_list {
	const struct pmuq_pmu *const *v;
	size_t n;
};

/* The order of PMUs: core PMUs first, then by base name, by number, and by name. */
int pq_pmu_compare(const struct pmuq_pmu *a, const struct pmuq_pmu *b);
/* Sorts PMUs. False when out of memory. */
bool pq_pmus_sort(const struct pmuq_pmu **v, size_t n);
/* False if no PMU of that name is a core PMU: Linux has up to thousands of "uncore_…". */
bool pq_pmu_name_may_be_core(struct pmuq_str name);
/* Whether a PMU of that name, with or without a file `cpus`, is a core PMU. */
bool pq_pmu_name_is_core(struct pmuq_str name, bool has_cpus_file);
/* The fixed type of software, tracepoint and breakpoint, used if their file is missing. */
bool pq_pmu_known_type(struct pmuq_str name, uint32_t *ret);

/* Sets is_core, is_uncore and cpus from the name and the files; `cpus_online` must live as long as
 * the PMU. */
void pq_pmu_finalize(struct pmuq_pmu *pmu, struct pmuq_str cpus_online);

/* The longest name of a file (NAME_MAX). */
#define PQ_NAME_MAX_BYTES 255u
/* Whether a file can have that name: a name from the user must not become a path. */
bool pq_is_file_name(struct pmuq_str name);

/* The companions of an event: files in events/ that are not events (.unit .scale .per-pkg
 * .snapshot), as bits. */
enum pq_companion {
	PQ_HAS_UNIT = 1 << 0,
	PQ_HAS_SCALE = 1 << 1,
	PQ_HAS_PER_PKG = 1 << 2,
	PQ_HAS_SNAPSHOT = 1 << 3,
	PQ_HAS_ANY = 15, /* not listed: try each of them */
};
/* The ending of the name of each, by the number of the bit. */
extern const struct pmuq_str pq_companion_endings[4];
/* The bit of a companion; 0 if the file is not one. */
unsigned pq_event_companion(struct pmuq_str file);
