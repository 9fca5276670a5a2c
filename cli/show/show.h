/* SPDX-License-Identifier: MIT */
/*
 * `pmuq show`: first gathers what a name means, in struct shown_pmu or struct shown_event, then
 * prints it as text (show_pmu.c, show_event.c) or as a row of a document (show_record.c).
 */
#pragma once

#include "cli/events/fold_encodings.h"
#include "cli/metrics/planned.h"
#include "cli/output/document.h"
#include "cli/output/label.h"
#include "cli/tables/list_sources.h"

/* The machine and its sources of names, the same for all NAMEs of the command line. */
struct shown_machine {
	struct pmuq_source *source;
	const struct pmuq_catalog *catalog;
	const struct pmuq_check *check;	  /* NULL: none */
	const struct pmuq_vendor *vendor; /* the CPU's table; NULL: none */
	/* The metrics of the CPU, opened for the first name that nothing else has. */
	struct planned *planned;
	const struct cli *cli;
	const char *vendor_word; /* of --vendor */
	struct pmuq_pfm *pfm;
	struct list_sources *sources; /* the events of PMUs */
	const char *input;	      /* the NAME of the command line */
	struct document *document;    /* NULL: text */
};

/* The first of `instances`, which share the name if `is_group`; otherwise the name is that of
 * `pmu`, and the others are its siblings. */
struct shown_pmu {
	const struct shown_machine *machine;
	const struct instances *instances;
	const struct pmuq_pmu *pmu;
	bool is_group;
	const struct list_events *events; /* set by show_pmu() */
	struct pmuq_counters counters;	  /* the same */
};

/* A name of the event in another source. */
struct shown_name {
	char *text;
	enum pmuq_origin origin;
};

/* An encoding of an event string, together with those of sibling instances. */
struct shown_event {
	const struct shown_machine *machine;
	const struct fold *fold;
	const struct pmuq_encoding *encoding;	/* the first of them */
	const struct pmuq_pmu *pmu;		/* NULL: none */
	const char *string;			/* of the command line */
	const char *own;			/* the part that names this event */
	const char *terms;			/* terms that the name stands for; NULL: none */
	const struct pmuq_vendor_event *listed; /* in the CPU's table; NULL: not of it */
	const char *topic;
	char *full_name;      /* canonical name of libpfm4 */
	PQ_VEC(char *) about; /* paragraphs of the vendor's description */
	PQ_VEC(struct shown_name) names;
	struct instances others;	     /* PMUs that also have an event of that name */
	const struct pmuq_open_result *open; /* NULL: not known */
	bool is_stored;			     /* `open` is from the last check */
};

/* A name that is not an event, or an event that cannot be encoded. */
struct shown_failure {
	const struct shown_machine *machine;
	const char *string;
	const struct pmuq_pmu *pmu; /* NULL: no PMU has it */
	const struct pmuq_event *event;
	const struct pmuq_error *error;
};

/* A metric that was planned for the machine. */
struct full_metric {
	const struct pmuq_metric_plan *plan;	   /* NULL: it cannot be counted */
	const struct pmuq_planned_metric *planned; /* in the plan, or of one that failed */
};

/* What a row of the document is of: one of them is not NULL. */
struct shown {
	const struct shown_pmu *pmu;
	const struct shown_event *event;
	const struct full_metric *metric;
	const struct pmuq_metric_group *group;
	const struct shown_failure *failure;
};

/* show_pmu.c */
void show_pmu(struct shown_pmu *shown);

/* show_layout.c: the PMU's formats, each word drawn. */
void show_layouts(const struct pmuq_pmu *pmu);

/* show_event.c */
void show_encodings(const struct shown_machine *machine, const char *string,
		    const struct pmuq_encodings *encodings);
void show_failure(const struct shown_failure *failure);

/* show_about.c: sets `about`, `topic` and `full_name`. */
void show_find_about(struct shown_event *event);
/* The event of the vendor's table that the string names on the PMU; NULL: none. */
const struct pmuq_vendor_event *show_find_vendor_event(const struct shown_machine *machine,
						       const struct pmuq_pmu *pmu,
						       const char *string);

/* show_names.c: sets `names`. */
void show_find_names(struct shown_event *event);
/* Whether the name is a word of the event string; not case-sensitive. */
bool show_names_event(const char *string, const char *name);

/* show_metric.c: the metrics of that name; or the metric group of that name, and its metrics. Sets
 * how many it showed. */
enum status show_metrics(const struct shown_machine *machine, const char *name, size_t *ret_shown);

/* show_record.c: a row of the document. */
extern const struct document_type show_document;
void show_row(const struct shown_machine *machine, const struct shown *shown);
/* Whether a problem's path is in the directory of the PMU. */
bool show_is_of_pmu(const char *path, const char *pmu);
