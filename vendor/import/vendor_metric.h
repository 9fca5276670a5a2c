/* SPDX-License-Identifier: MIT */
/*
 * The metrics of Intel's repository. vendor_metric.c reads their files, vendor_option.c makes the
 * events of formulas of Intel's names, vendor_formula.c translates the formulas.
 */
#pragma once

#include "vendor/import/vendor_formula.h"
#include "vendor/import/vendor_import.h"

/* What the formulas of one CPU can refer to. */
struct pq_vendor_known {
	struct pq_vendor_aliases events;    /* names in lower case → PMUs in the tables */
	struct pq_vendor_aliases latencies; /* names in lower case → mean cycles to retire */
};

/* Lists the events of the drafts; of two with one name that of the core PMU counts. False: out of
 * memory. */
bool pq_vendor_know_events(const struct pq_vendor_drafts *drafts, struct pmuq_str core_pmu,
			   struct pq_arena *arena, struct pq_vendor_aliases *ret);
/* An event of a metric, "NAME[:OPTION]...", as an event of a formula. It is a problem of the draft
 * if no table has the event or Linux has no term for an option. False: out of memory. */
bool pq_vendor_write_event(const struct pq_vendor_converter *converter,
			   const struct pq_vendor_known *known, struct pmuq_str event,
			   struct pq_vendor_alias *ret);
/* The event's PMU in the tables; .p NULL if no table has it. */
struct pmuq_str pq_vendor_pmu_of(const struct pq_vendor_known *known, struct pq_arena *arena,
				 struct pmuq_str event);

/* Adds the metrics of a file to the drafts, whose events are known. These return false if there is
 * no such file, and after an error. */
bool pq_vendor_gather_metrics(struct pq_vendor_import *import,
			      const struct pq_vendor_source *source,
			      const struct pq_vendor_known *known, struct pq_vendor_drafts *drafts);
/* The same of a file that has been read. */
void pq_vendor_take_metrics(struct pq_vendor_import *import, const struct pq_vendor_source *source,
			    const struct pq_vendor_file *read, const struct pq_vendor_known *known,
			    struct pq_vendor_drafts *drafts);
/* Adds the means of a file of latencies. The caller calls pq_vendor_aliases_finish() afterwards. */
bool pq_vendor_gather_latencies(struct pq_vendor_import *import, struct pmuq_str path,
				struct pq_vendor_aliases *latencies, struct pq_arena *arena);
void pq_vendor_take_latencies(struct pq_vendor_tree *tree, const struct pq_vendor_file *read,
			      struct pq_vendor_aliases *latencies, struct pq_arena *arena);
