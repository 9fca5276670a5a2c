/* SPDX-License-Identifier: MIT */
/* What can be listed: the types of lists, the fields of their rows, and which globs match a row. */
#pragma once

#include "cli/metrics/planned.h"
#include "cli/output/document.h"
#include "cli/tables/instances.h"

/* An event of any source; its texts live there. NULL if the source does not have the value. */
struct list_event {
	enum pmuq_origin origin;
	const char *name; /* NULL: the row has no event */
	const char *terms, *unit, *scale, *topic, *description, *file, *version;
	const char *string; /* NULL: PMU/NAME/ */
	bool is_per_pkg, is_snapshot, is_deprecated;
	bool is_absent;	       /* the machine does not have its PMU */
	uint32_t generic_type; /* of libpfm4's generic events: the type of their attr */
};

struct list_events {
	PQ_VEC(struct list_event);
};

/* The input of rows: a PMU of the catalog, or the catalog if pmu is NULL. */
struct list_input {
	const struct pmuq_catalog *catalog;
	const struct pmuq_pmu *pmu;
	const struct list_events *events; /* of that PMU, from all sources; NULL: not needed */
	const struct planned *planned;	  /* the metrics or metric groups of the CPU */
};

/* A row of a list; only the members of its type are set. Everything lives in the catalog or in the
 * sources. */
struct list_row {
	const struct pmuq_catalog *catalog;
	const struct pmuq_pmu *pmu;
	const char *name; /* name of the listed item, also of a PMU's; NULL: the row is a PMU */
	struct list_event event;
	const struct pmuq_format *format;
	const struct pmuq_tracepoint *tracepoint;
	const struct pmuq_metric_plan *plan; /* of a metric */
	const struct pmuq_planned_metric *planned;
	const void *record;		   /* the record that is printed; NULL: the row itself */
	const struct instances *instances; /* NULL: the row belongs to its PMU alone */
	const struct pmuq_check *check;	   /* NULL: no event was opened */
	bool is_any_case;		   /* a glob matches the name in any case */
};

struct list_rows {
	PQ_VEC(struct list_row);
};

struct list_type {
	const char *one;
	const struct document_type *document; /* the key of its rows is the name of the type */
	/* The index-th row of an input; false after the last. */
	bool (*row)(const struct list_input *input, size_t index, struct list_row *ret);
	/* NULL, or reads what the tables of a CPU have into `planned`. The catalog may be read
	 * again: with the tracepoints. */
	enum status (*open)(struct planned *planned, const struct cli *cli,
			    struct pmuq_source *source, const char *vendor,
			    struct pmuq_catalog **catalog);
	bool is_of_catalog; /* rows are of the catalog, not of each PMU */
	bool is_of_events;  /* rows are events of all sources */
};

/* Of struct list_row. */
extern const struct record_type list_pmu_record, list_format_record, list_event_record;

/* list_events.c */
/* The term for the config of a generic event; the upper half of the config is the PMU's type. */
const char *list_generic_term(uint32_t type);
extern const struct list_type list_of_events;
extern const struct document_type list_events_document;

/* list_metrics.c */
extern const struct list_type list_of_metrics;
extern const struct document_type list_metrics_document;
extern const struct record_type list_metric_record; /* of struct list_row */
/* By its name, or one of its groups. */
bool list_metric_matches(const struct list_row *row, const char *glob);

/* list_groups.c */
extern const struct list_type list_of_metric_groups;
extern const struct document_type list_metric_groups_document;
extern const struct record_type list_metric_group_record; /* of struct pmuq_metric_group */

/* list_types.c */
extern const struct list_type list_of_tracepoints;

extern const struct list_type *const list_types[];
extern const size_t list_types_count;
/* Of all of them, up to NULL. */
extern const struct document_type *const list_documents[];
const struct list_type *list_type_find(const char *name);

/* list_types.c: the name of the row's PMU or of its instances. */
bool list_get_pmu(const void *of, struct cell *cell);
/* Whether a glob matches the row: its PMU, its name or, with the PMU before it, "PMU/NAME", also
 * followed by a slash as in event strings; for a tracepoint "SUBSYSTEM:NAME" or one of the two. */
bool list_row_matches(const struct list_row *row, const char *glob);
