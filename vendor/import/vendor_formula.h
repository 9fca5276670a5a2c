/* SPDX-License-Identifier: MIT */
/*
 * Formulas of Intel's repository and of Arm's telemetry-solution in the notation of the kernel's
 * tables, which docs/metrics.md describes. The names of a formula are replaced by texts that the
 * caller has made; the file is not concerned with events.
 */
#pragma once

#include "core/map.h"
#include "core/vec.h"
#include "vendor/import/vendor_event.h"

struct pq_vendor_alias {
	struct pmuq_str name; /* in the vendor's formula */
	struct pmuq_str text; /* in the kernel's notation, with brackets if it is not one value */
	struct pmuq_str unit; /* what NAME[0] stands for: the event on the first instance; or "" */
};

struct pq_vendor_aliases {
	PQ_VEC(struct pq_vendor_alias); /* in the arena of the caller */
	struct pq_map by_name;
};

/* After the last alias was added: makes them findable. False: out of memory. */
bool pq_vendor_aliases_finish(struct pq_arena *arena, struct pq_vendor_aliases *aliases);
const struct pq_vendor_alias *pq_vendor_find_alias(const struct pq_vendor_aliases *aliases,
						   struct pmuq_str name);

/* Replaces the names by what is in `own`, or else in `shared`. A name that is in neither, and a
 * character that no formula has, are a problem of the draft, and the result is "". Returns false
 * when out of memory. */
bool pq_vendor_translate(const struct pq_vendor_converter *converter,
			 const struct pq_vendor_aliases *own,
			 const struct pq_vendor_aliases *shared, struct pmuq_str text,
			 struct pmuq_str *ret);
/* Parses the result as pmuq's dialect does; an error is a problem of the draft. False: out of
 * memory. */
bool pq_vendor_check_formula(const struct pq_vendor_converter *converter, struct pmuq_str text);
