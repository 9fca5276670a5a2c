/* SPDX-License-Identifier: MIT */
/*
 * The events of a machine's PMUs, from all requested sources: files, generic events, a vendor's
 * tables, libpfm4. The list prints them.
 */
#pragma once

#include "cli/cmd.h"
#include "cli/tables/list.h"
#include "cli/tables/list_pfm.h"

struct list_sources {
	const char *vendor; /* --vendor, or NULL */
	unsigned from;	    /* --from, enum pmuq_origin; 0: the default */
	bool is_all;	    /* `from` is "all": a missing source is not an error */
	const struct pmuq_catalog *catalog;
	struct pmuq_vendor *table;   /* NULL: no table is in use */
	struct list_pfm *pfm;	     /* NULL: not used */
	struct list_texts texts;     /* of generic events */
	struct list_events gathered; /* of the current PMU */
};

/* The sources that --from accepts in lists, also as a help text has them. */
#define LIST_SOURCES "sysfs, generic, json, pfm"
#define LIST_SOURCES_MASK (PMUQ_FROM_SYSFS | PMUQ_FROM_GENERIC | PMUQ_FROM_JSON | PMUQ_FROM_PFM)

/* Opens the sources; `source` is that of the catalog's machine. */
enum status list_sources_open(struct list_sources *sources, const struct cli *cli,
			      struct pmuq_source *source, const struct pmuq_catalog *catalog);
/* Whether events come from several sources. */
bool list_sources_are_many(const struct list_sources *sources);
/* All events of the PMU, in the order of the sources; texts live in the sources and the catalog.
 * Returns a status. */
enum status list_sources_gather(struct list_sources *sources, const struct pmuq_pmu *pmu,
				const struct list_events **ret);
/* An event of the CPU's table that matches the glob, for a glob that matches no event of the
 * machine's PMUs; NULL: none. */
const struct pmuq_vendor_event *list_sources_find_absent(const struct list_sources *sources,
							 const char *glob);
/* The event that a generic name was encoded as. */
struct list_event list_generic_event(struct list_texts *texts, const char *name,
				     const struct pmuq_encoding *encoding);
/* The number of events of a PMU for the list of PMUs: its files in events/; of the PMU of software
 * events also the generic ones, and of the PMU of tracepoints these. */
size_t list_count_events(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu);
void list_sources_close(struct list_sources *sources);
