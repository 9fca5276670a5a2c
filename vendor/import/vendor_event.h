/* SPDX-License-Identifier: MIT */
/*
 * One object of a vendor's JSON as an event or a metric: the terms that perf 7.2 would make of it.
 * Members that have no place here are left out; one that an event cannot do without and that makes
 * no sense is a problem of that event.
 */
#ifndef PQ_VENDOR_EVENT_H
#define PQ_VENDOR_EVENT_H

#include "core/map.h"
#include "vendor/import/vendor_json.h"

enum pq_vendor_layout {
	PQ_VENDOR_KERNEL = 0,  /* tools/perf/pmu-events/arch */
	PQ_VENDOR_PERFMON = 1, /* Intel's repository */
};

/* .p is NULL where there is no such text. Texts live in the converter's arena. */
struct pq_vendor_draft {
	struct pmuq_str name; /* of the event, in lower case; no event without */
	struct pmuq_str pmu, terms, scale_unit, compat, topic, description, long_description;
	bool is_per_pkg, is_deprecated;
	struct pmuq_str metric, expression, groups, threshold; /* no metric without its name */
	struct pmuq_str problem;			       /* why it cannot be encoded */
	struct pmuq_str path;				       /* of its file */
	size_t line, column;
};

/* What all events of an architecture may build on ("ArchStdEvent"), by their names. */
struct pq_vendor_standard {
	struct pmuq_str name; /* in lower case */
	struct pq_vendor_draft draft;
};

struct pq_vendor_standards {
	struct pq_vendor_standard *v;
	size_t n, room;
	struct pq_map by_name;
};

struct pq_vendor_converter {
	struct pq_arena *arena;
	enum pq_vendor_layout layout;
	struct pmuq_str core_pmu; /* of events that name no unit */
	struct pmuq_str topic;
	const struct pq_vendor_standards *standards;
};

/* 0, or -PMUQ_E_MEMORY. */
int pq_vendor_convert(const struct pq_vendor_converter *converter, const struct pq_elements *at,
		      struct pq_vendor_draft *ret, struct pmuq_error **reterr);

/* vendor_terms.c. False when out of memory; what cannot be encoded is draft->problem. */
bool pq_vendor_make_terms(const struct pq_vendor_converter *converter, const struct pq_elements *at,
			  struct pq_vendor_draft *draft);
/* Terms of names that perf knows better than its tables; .p NULL for others. */
struct pmuq_str pq_vendor_fixed_terms(struct pmuq_str name);
/* vendor_unit.c: the PMU that a unit stands for. .p is NULL when out of memory. */
struct pmuq_str pq_vendor_unit_pmu(const struct pq_vendor_converter *converter,
				   struct pmuq_str unit);
/* A text of the element, trimmed; .p NULL where it says nothing. */
struct pmuq_str pq_vendor_text(const struct pq_vendor_converter *converter,
			       const struct pq_elements *at, const char *key);
/* Remembers why, unless it is known; false when out of memory. */
bool pq_vendor_doubt(const struct pq_vendor_converter *converter, struct pq_vendor_draft *draft,
		     const char *format, ...) PQ_PRINTF(3, 4);

#endif
