/* SPDX-License-Identifier: MIT */
/*
 * The events that a vendor's tables name for one CPU: built once, then immutable and shared by any
 * number of threads. A look-up allocates nothing. Where the tables come from is db/'s business, and
 * what stands before or behind them in the order of names is encode's.
 */
#ifndef PQ_VENDOR_H
#define PQ_VENDOR_H

#include "core/arena.h"
#include "core/catalog/model.h"
#include "core/error.h"
#include <pmuq/vendor.h>

/* An event of a table: what its record points to, and what is compiled from its texts. */
struct pq_vendor_event {
	struct pmuq_vendor_event record; /* first: what is handed out is this */
	/* The name in lower case; terms as a file in events/ has them. A unit or scale that the
	 * table gives counts as a file's. */
	struct pmuq_event event;
	const void *compat_regex; /* NULL: fits any */
};

/* Events of one name, in the order of pmu and compat. */
struct pq_vendor_list {
	const struct pq_vendor_event *v;
	size_t n;
};

/* Names are found in any case, as perf does. */
struct pq_vendor_list pq_vendor_find(const struct pmuq_vendor *vendor, struct pmuq_str name);
/* Whether events of a table's PMU are events of a machine's, as perf 7.2 has it: "default_core" are
 * all core PMUs; an uncore PMU may have a number behind it, and "uncore_" before either counts for
 * nothing; "a,b" are names with a number behind each part. The PMU must be filled. */
bool pq_vendor_covers(struct pmuq_str pattern, const struct pmuq_pmu *pmu);
/* Whether it may cover the PMU or any of its siblings: false says that it covers none of them. */
bool pq_vendor_may_cover(struct pmuq_str pattern, const struct pmuq_pmu *pmu);
/* Whether the event is meant for a PMU with that `identifier` (.p NULL: it has none). */
bool pq_vendor_suits(const struct pq_vendor_event *event, struct pmuq_str identifier);
/* The event of that name on the PMU, the first that covers it and suits; NULL when there is none.
 * The PMU must be loaded: its file `identifier` is looked at where a table asks for it. */
const struct pmuq_vendor_event *pq_vendor_find_on(const struct pmuq_vendor *vendor,
						  const struct pmuq_pmu *pmu, struct pmuq_str name);

/*
 * Building one: capacity for n events, which are filled in one by one with texts of its arena, then
 * the index. pq_vendor_add() returns a zeroed event, NULL past n. The rest of pq_vendor_event
 * (sizes, pointers) is filled in at the end.
 */
struct pq_vendor_origin {
	struct pmuq_str cpuid;	/* that was asked for */
	struct pmuq_str import; /* the name of the import */
	struct pmuq_str folder; /* "x86/skylakex" */
	struct pmuq_str version;
};
int pq_vendor_new(size_t n, struct pmuq_vendor **ret, struct pmuq_error **reterr);
struct pq_arena *pq_vendor_arena(struct pmuq_vendor *vendor);
struct pq_vendor_event *pq_vendor_add(struct pmuq_vendor *vendor);
/* The texts of the origin are copied. 0, -PMUQ_E_MEMORY, -PMUQ_E_BAD_REGEX. */
int pq_vendor_finish(struct pmuq_vendor *vendor, const struct pq_vendor_origin *origin,
		     struct pmuq_error **reterr);

/* An extended regular expression of a table, which may be hostile: bounded in what it may take to
 * compile and match. `ret` is a regex_t. -PMUQ_E_BAD_REGEX, -PMUQ_E_MEMORY. */
#define PQ_REGEX_MAX_BYTES 256u
int pq_vendor_regex(struct pmuq_str text, void *ret, struct pmuq_error **reterr);

#endif
