/* SPDX-License-Identifier: MIT */
/*
 * The events of a vendor's tables for one CPU: built once, then immutable and shared by any number
 * of threads, unless it is lazy. A look-up allocates no memory. vendor/ loads the tables; encode/
 * decides when it searches them.
 */
#pragma once

#include "core/catalog/lookup.h"
#include "core/regex.h"
#include <pmuq/vendor.h>

/* An event of a table: the data of its record, and its regular expression. */
struct pq_vendor_event {
	struct pmuq_vendor_event record; /* first: callers see this */
	/* The event as if it were a file in events/: the name in lower case; terms, unit and scale
	 * from the table. */
	struct pmuq_event event;
	const struct pq_regex *compat; /* NULL: any identifier matches */
	size_t n_of_name;	       /* events of its name from this one on */
};

/* How many counters a PMU of the tables has: for any event, and for one event each. */
struct pq_vendor_counters {
	struct pmuq_str pmu;
	int64_t generic, fixed;
};

/* Events of one name, in the order of pmu and compat. */
struct pq_vendor_list {
	const struct pq_vendor_event *v;
	size_t n;
};

/* The names of events are not case-sensitive, as in perf. Fails only on a lazy table. */
int pq_vendor_find(const struct pmuq_vendor *vendor, struct pmuq_str name,
		   struct pq_vendor_list *ret, struct pmuq_error **reterr);
/* Whether the PMU of a table is that PMU of the machine, by the rules of perf 7.2: "default_core"
 * is every core PMU; an uncore PMU may have a number after its name, and "uncore_" before either
 * name is ignored; "a,b" are parts of a name, each of which may have a number after it. The PMU
 * must be filled. */
bool pq_vendor_covers(struct pmuq_str pattern, const struct pmuq_pmu *pmu);
/* False if it covers neither the PMU nor any of its siblings. */
bool pq_vendor_may_cover(struct pmuq_str pattern, const struct pmuq_pmu *pmu);
/* The next PMU of the machine that the pattern covers, which is filled then. *at is 0 for the
 * first, and advances. 0, PQ_NONE after the last, or as the query failed. */
PQ_COLD int pq_vendor_next_covered(struct pq_lookup lookup, struct pmuq_str pattern, size_t *at,
				   const struct pmuq_pmu **ret, struct pmuq_error **reterr);
/* Whether the expression matches the whole `identifier` of a PMU, which must be loaded. */
bool pq_vendor_identifier_matches(const struct pq_regex *compat, const struct pmuq_pmu *pmu);
/* The first event of the list that exists on the PMU, or NULL. The PMU must be loaded: a table may
 * require an `identifier`. */
const struct pmuq_vendor_event *pq_vendor_first_on(struct pq_vendor_list list,
						   const struct pmuq_pmu *pmu);
/* Which events are here: all of them, or (of a lazy table) those of the names that were looked up
 * so far. For loops from a zeroed cursor; false after the last. */
struct pq_vendor_cursor {
	size_t slot;
	const struct pq_vendor_read_name *at;
};
bool pq_vendor_next_read(const struct pmuq_vendor *vendor, struct pq_vendor_cursor *cursor,
			 struct pq_vendor_list *ret);
/* Whether all events are here. */
bool pq_vendor_is_read(const struct pmuq_vendor *vendor);

/* An event by its code; vendor_codes.c. */
struct pq_vendor_coded {
	uint64_t code;
	const struct pq_vendor_event *event;
};
struct pq_vendor_codes {
	size_t n;
	struct pq_vendor_coded v[];
};
/* The code of an event with these terms; 0 also without one. */
uint64_t pq_vendor_code(struct pmuq_str terms);
/* The events with that code, of a table all of whose events are here. False when out of memory. */
bool pq_vendor_find_code(const struct pmuq_vendor *vendor, uint64_t code,
			 const struct pq_vendor_coded **ret, size_t *ret_n);
/* Where vendor_codes.c keeps its index: NULL before it is needed. */
_Atomic(struct pq_vendor_codes *) *pq_vendor_codes_of(const struct pmuq_vendor *vendor);

/* Reads a lazy table whole, so that pmuq_vendor_get() has every event. */
int pq_vendor_read_all(const struct pmuq_vendor *vendor, struct pmuq_error **reterr);

/* The counters of the PMU by the table; *ret is NULL if they are not known. The PMU must be filled.
 * Fails only on a lazy table. */
int pq_vendor_find_counters(const struct pmuq_vendor *vendor, const struct pmuq_pmu *pmu,
			    const struct pq_vendor_counters **ret, struct pmuq_error **reterr);

/*
 * To build a table: pq_vendor_new() allocates n events; the caller fills in each with texts of the
 * arena; pq_vendor_finish() sets sizes and pointers and makes the index. pq_vendor_add() returns a
 * zeroed event, or NULL after n.
 */
int pq_vendor_new(size_t n, struct pmuq_vendor **ret, struct pmuq_error **reterr);
struct pq_arena *pq_vendor_arena(struct pmuq_vendor *vendor);
/* For a new table of no events: as if it had been made for n. False when out of memory. */
bool pq_vendor_reserve(struct pmuq_vendor *vendor, size_t n);
struct pq_vendor_event *pq_vendor_add(struct pmuq_vendor *vendor);
/* Counters of n PMUs, in the arena. */
void pq_vendor_set_counters(struct pmuq_vendor *vendor, const struct pq_vendor_counters *v,
			    size_t n);
/* The texts of the origin are copied; its size and number of events are not used. 0,
 * -PMUQ_E_MEMORY, -PMUQ_E_BAD_REGEX. */
int pq_vendor_finish(struct pmuq_vendor *vendor, const struct pmuq_vendor_table *origin,
		     struct pmuq_error **reterr);

/*
 * A lazy table reads the events of a name when the name is first looked up: a process that encodes
 * few strings needs few of thousands. pq_vendor_finish() has made it without events. `read` returns
 * a finished table of the events of that name, or (.p NULL) of all; the lazy table frees it, and
 * calls `free` at its own end.
 */
struct pq_vendor_reader {
	int (*read)(void *arg, struct pmuq_str name, struct pmuq_vendor **ret,
		    struct pmuq_error **reterr);
	/* Calls pq_vendor_set_counters(). */
	int (*read_counters)(void *arg, struct pmuq_vendor *vendor, struct pmuq_error **reterr);
	void (*free)(void *arg);
	void *arg;
};
/* False when out of memory; the table is not lazy then. */
bool pq_vendor_make_lazy(struct pmuq_vendor *vendor, const struct pq_vendor_reader *reader,
			 size_t n_events);
