/* SPDX-License-Identifier: MIT */
/*
 * The events of a machine's PMUs, from all sources that were named: files, generic events, a
 * vendor's tables, libpfm4. How they look is the list's affair.
 */
#pragma once

#include "cli/cmd.h"
#include "cli/tables/list.h"
#include "cli/tables/list_pfm.h"

struct list_sources {
	const char *vendor; /* --vendor, or NULL */
	unsigned from;	    /* --from, enum pmuq_origin; 0: the default */
	bool is_all;	    /* `from` is all of them: what is not there is not missed */
	const struct pmuq_catalog *catalog;
	struct pmuq_vendor *table;   /* NULL: none in use */
	struct list_pfm *pfm;	     /* NULL: not used */
	struct list_texts texts;     /* of generic events */
	struct list_events gathered; /* of the current PMU */
};

/* What can be listed of --from, for messages. */
#define LIST_SOURCES "sysfs, generic, json, pfm"
#define LIST_SOURCES_ALL "all"
#define LIST_SOURCES_MASK (PMUQ_FROM_SYSFS | PMUQ_FROM_GENERIC | PMUQ_FROM_JSON | PMUQ_FROM_PFM)

/* Opens the sources; `source` is that of the catalog's machine. */
enum status list_sources_open(struct list_sources *sources, const struct cli *cli,
			      struct pmuq_source *source, const struct pmuq_catalog *catalog);
/* Whether events come from more than one place. */
bool list_sources_are_many(const struct list_sources *sources);
/* All events of the PMU, in the order of the sources; texts live in the sources and the catalog.
 * Answers a status. */
enum status list_sources_gather(struct list_sources *sources, const struct pmuq_pmu *pmu,
				const struct list_events **ret);
void list_sources_close(struct list_sources *sources);
