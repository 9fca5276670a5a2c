/* SPDX-License-Identifier: MIT */
/*
 * One object of a vendor's JSON as the draft of an event or a metric, with the terms that perf 7.2
 * makes of it. Unknown members are ignored. A member with an invalid value is a problem of its
 * event, if the event depends on it.
 */
#pragma once

#include "core/vendor/vendor_table.h"
#include "vendor/import/vendor_json.h"

enum pq_vendor_layout {
	PQ_VENDOR_KERNEL = 0,	 /* tools/perf/pmu-events/arch */
	PQ_VENDOR_PERFMON = 1,	 /* Intel's repository */
	PQ_VENDOR_LIBPFM4 = 2,	 /* names of libpfm4, without terms */
	PQ_VENDOR_TELEMETRY = 3, /* Arm's telemetry-solution */
};

/* A file of a folder, which starts there; its version is "" if it names none. */
struct pq_vendor_table_file {
	struct pmuq_str path, version;
};

/* What a metric group is for. */
struct pq_vendor_group {
	struct pmuq_str name, description;
};

/* A text that does not exist is "". Texts live in the converter's arena. */
struct pq_vendor_draft {
	struct pmuq_str name; /* of the event, in lower case; empty: not an event */
	struct pmuq_str pmu, terms, scale_unit, compat, topic, description, long_description;
	bool is_per_pkg, is_deprecated;
	struct pmuq_str counters; /* those that can count the event, as the vendor lists them */
	struct pmuq_str counters_smt_off; /* the same of a core that is one CPU */
	bool is_taken_alone;		  /* no other event may be counted with it */
	struct pmuq_str latency; /* the mean latency of its retirement in cycles, a number */
	struct pmuq_str metric;	 /* its name; empty: not a metric */
	struct pmuq_str expression, groups, threshold;
	struct pmuq_str constraint;    /* when its events are not a group: NO_GROUP_EVENTS … */
	struct pmuq_str no_group;      /* the metric groups in which they are not */
	struct pmuq_str default_group; /* the headline of `perf stat` without -e */
	struct pmuq_str aggregation;   /* PerChip, PerCore */
	bool shows_events;	       /* `perf stat` without -e prints the counts, too */
	struct pmuq_str problem;       /* why the event cannot be encoded; .p NULL: it can */
	struct pmuq_str path;	       /* of its file */
	int64_t file;		       /* its index among those of the folder, when it is added */
	size_t line, column;
};

/* Events that others of the architecture can be based on ("ArchStdEvent"), by name. They are read
 * before the folders of the architecture. */
struct pq_vendor_standard {
	struct pmuq_str name; /* in lower case */
	struct pq_vendor_draft draft;
};

struct pq_vendor_standards {
	struct pq_vendor_standard *v;
	size_t n;
	struct pq_map by_name;
};

struct pq_vendor_converter {
	struct pq_arena *arena;
	enum pq_vendor_layout layout;
	struct pmuq_str core_pmu; /* of events that name no unit */
	struct pmuq_str topic;
	const struct pq_vendor_standards *standards; /* NULL: no standard events */
	const struct pq_vendor_elements *at;	     /* the object that is converted */
	struct pq_vendor_draft *draft;		     /* into this */
};

/* What selects an event on its PMU. */
struct pq_vendor_selector {
	uint64_t event, umask;
	uint64_t occ_sel; /* of a PMU without umask; 0: none */
};

/* These return false when out of memory. They set the draft's problem if the event cannot be
 * encoded. pq_vendor_convert() overwrites the draft; the texts of events that come from a standard
 * event count towards PQ_VENDOR_INHERITED_MAX_BYTES, an error of the tree.
 */
bool pq_vendor_convert(const struct pq_vendor_converter *converter);
/* A draft of that object without a name, for a layout with members of its own. */
struct pq_vendor_draft pq_vendor_empty_draft(const struct pq_vendor_converter *converter);
/* False if the object has no numbers of counters; .pmu.p NULL: out of memory. */
bool pq_vendor_read_counters(const struct pq_vendor_converter *converter,
			     struct pq_vendor_counters *ret);
bool pq_vendor_make_terms(const struct pq_vendor_converter *converter);
/* The terms of events for which perf ignores its tables; .p NULL for others. */
struct pmuq_str pq_vendor_fixed_terms(struct pmuq_str name);
/* The PMU of a unit; .p NULL: out of memory. */
struct pmuq_str pq_vendor_unit_pmu(const struct pq_vendor_converter *converter,
				   struct pmuq_str unit);
/* A member of the object as a trimmed text; .p NULL if it has no value. */
struct pmuq_str pq_vendor_text(const struct pq_vendor_converter *converter, const char *key);
/* Reads the first number of a member. False if the member has no number; an invalid number is a
 * problem. */
bool pq_vendor_number(const struct pq_vendor_converter *converter, const char *key, uint64_t *ret);
/* Sets the problem unless the draft has one; false: out of memory. */
bool pq_vendor_draft_problem(const struct pq_vendor_converter *converter, const char *format, ...)
	PQ_PRINTF(2, 3);
