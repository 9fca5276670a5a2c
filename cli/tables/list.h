/* SPDX-License-Identifier: MIT */
/* What can be listed: kinds of rows, their columns, and which globs a row answers to. */
#ifndef PQ_CLI_LIST_H
#define PQ_CLI_LIST_H

#include "cli/output/table.h"
#include "cli/tables/instances.h"

/* An event of any source; its texts live there. */
struct list_event {
	enum pmuq_origin origin;
	const char *name; /* NULL: there is no event */
	/* NULL where the source says nothing. */
	const char *terms, *unit, *scale, *topic, *description;
	const char *string; /* NULL: PMU/NAME/ */
	bool is_per_pkg, is_snapshot, is_deprecated;
};

struct list_events {
	struct list_event *at;
	size_t n, size;
};

/* What the rows of a kind are made from: a PMU of the catalog, or the catalog where pmu is NULL. */
struct list_place {
	const struct pmuq_catalog *catalog;
	const struct pmuq_pmu *pmu;
	const struct list_events *events; /* of that PMU, from all sources; NULL: nobody asked */
};

/* One line of a list; only what its kind has is set. Everything lives in the catalog,
 * or beside it. */
struct list_row {
	const struct pmuq_catalog *catalog;
	const struct pmuq_pmu *pmu;
	struct list_event event;
	const struct pmuq_format *format;
	size_t index;			/* of a fact or a problem of the catalog */
	const struct boxes *boxes;	/* NULL: the row is of its PMU alone */
	const struct pmuq_check *check; /* NULL: nobody knows what opens */
};

struct list_kind {
	const char *name; /* also the name of the array in JSON */
	const char *one;
	const struct column *columns;
	size_t n_columns;
	/* The index-th row of a place; false beyond the last. */
	bool (*row)(const struct list_place *place, size_t index, struct list_row *ret);
	bool (*matches)(const struct list_row *row, const char *glob);
	bool is_of_catalog; /* rows are asked of the catalog, not of each PMU */
	bool is_of_events;  /* rows are events of all sources */
};

extern const struct list_kind list_kind_events; /* list_events.c */
extern const struct list_kind *const list_kinds[];
extern const size_t list_kinds_count;
const struct list_kind *list_kind_find(const char *name);

/* list_kinds.c: cells that kinds share; and whether a glob means a part of a PMU: "PMU/NAME", also
 * with a slash behind it as event strings have, the name alone, or the PMU's. The flags are those
 * of fnmatch(3), for names. */
char *list_text_of(const char *text);
char *list_claim_of(bool value);
char *list_cell_pmu(const void *row);
bool list_part_matches(const struct list_row *row, const char *name, const char *glob, int flags);

#endif
