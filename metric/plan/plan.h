/* SPDX-License-Identifier: MIT */
/*
 * A plan of metrics, and how it is made:
 *
 *   select.c   names → the metrics of the table
 *   resolve.c  a metric → nodes (its formula, and those of the metrics that it names) and events
 *   events.c   the name of an event in a formula → an event string, tried on the machine
 *   facts.c    the literals of a formula
 *   lists.c    the events of all metrics → lists of groups, and their encodings
 *   parts.c    groups that fit the counters
 *   results.c  which values the plan gives
 *   values.c   counts → values
 *
 * A metric that cannot be counted has an error of its own, and does not stop the others; in perf's
 * dialect it does.
 */
#pragma once

#include "core/catalog/lookup.h"
#include "core/vec.h"
#include "core/vendor/metric_table.h"
#include "fit/machine.h"
#include "metric/formula.h"

/* What an operand of a node's formula stands for. */
enum pq_use_type {
	PQ_USE_FIXED, /* its input is known: a literal, a CPU */
	PQ_USE_EVENT,
	PQ_USE_NODE,
};

struct pq_plan_use {
	enum pq_use_type type;
	bool is_needed; /* the value can depend on it */
	size_t index;	/* of the event (struct pq_needed) or of the node */
};

/* A formula: of a metric, or of its threshold. */
struct pq_plan_node {
	const struct pq_metric *metric;
	bool is_threshold;
	bool is_open;	  /* while its operands are resolved: a metric must not need itself */
	size_t last_root; /* the last root whose needs were collected through it, from 1 */
	struct pmuq_formula *formula;
	struct pmuq_formula_input *inputs; /* of the fixed operands */
	struct pq_plan_use *uses;	   /* of each operand */
	struct pmuq_error *error;	   /* why it has no value on this machine */
};

/* An event that a formula names, for the metrics of one PMU of the tables. */
struct pq_needed {
	struct pmuq_str name; /* as in the formula, with at signs */
	struct pmuq_str pmu;  /* that its metric is for; "": any */
	enum pmuq_metric_event_type type;
	bool is_latency;	  /* modifier R: the table has its value */
	double latency;		  /* then; NAN: not known */
	bool is_on_cores;	  /* a core PMU counts it */
	bool is_limited;	  /* several core PMUs do, and the metric is for one */
	struct pq_fit_cost cost;  /* the counters that it needs */
	struct pmuq_error *error; /* why it cannot be counted */
};

/* A selected metric. */
struct pq_root {
	const struct pq_metric *metric;
	struct pmuq_str modifiers;
	struct pmuq_str selected_by; /* the name in lower case: of the metric or of a group */
	size_t node;		     /* of its formula */
	size_t threshold;	     /* the node of its threshold; SIZE_MAX: none */
	bool is_grouped;
	PQ_VEC(size_t) needs;		/* of struct pq_needed, in the order of the formula */
	size_t n_counted;		/* of them, without times */
	PQ_VEC(size_t) events;		/* of the plan, for each of them */
	size_t list;			/* SIZE_MAX: none */
	const struct pmuq_error *error; /* that of a node, an event or a list; NULL: none */
};

struct pq_list {
	struct pmuq_metric_list record;
	struct pmuq_encodings *encodings;
	const struct pq_root *root;   /* whose needs it has; NULL: many */
	size_t first_event, n_events; /* of the plan */
};

struct pq_plan_event {
	struct pmuq_metric_event record;
	size_t need;
};

struct pq_planned {
	struct pmuq_planned_metric record;
	const struct pq_root *root;
};

struct pmuq_metric_plan {
	struct pq_arena arena;
	enum pmuq_dialect dialect;
	PQ_VEC(struct pq_plan_node) nodes;
	PQ_VEC(struct pq_needed) needs;
	PQ_VEC(struct pq_root) roots;
	PQ_VEC(struct pq_list) lists;
	PQ_VEC(struct pq_plan_event) events;
	PQ_VEC(struct pq_planned) planned;
	PQ_VEC(struct pmuq_str) cores;	    /* the core PMUs, if there are several */
	PQ_VEC(struct pmuq_error *) errors; /* of lists */
};

/* What a call that makes a plan needs. */
struct pq_planner {
	struct pq_lookup lookup;
	/* Any fact of the machine; *ret is NULL if it does not have it. */
	int (*find_fact)(struct pq_planner *planner, const char *name, const char **ret);
	struct pmuq_source *source; /* one of the two */
	const struct pmuq_catalog *catalog;
	const struct pmuq_metrics *metrics;
	struct pmuq_metric_options options;
	struct pmuq_encode_options encode;
	struct pq_fit_machine fit; /* the counters of the machine, in fit_arena */
	struct pq_arena fit_arena;
	struct pmuq_metric_plan *plan;
	struct pmuq_error **reterr;
};

/* All return 0 or a negative code. */

/* Adds the roots. */
int pq_plan_select(struct pq_planner *planner, struct pmuq_str names);
/* Adds nodes, and sets node, threshold, needs and is_grouped of each root. */
int pq_plan_resolve(struct pq_planner *planner);
/* Whether groups are split if they do not fit the counters. */
bool pq_plan_may_split(const struct pq_planner *planner);
/* The part of each of n events of a list that is one group, from 0. `parts` has memory for 3 n
 * numbers, which are 0. */
int pq_plan_split(struct pq_planner *planner, const struct pmuq_encodings *encodings, size_t n,
		  size_t *parts, size_t *ret_n_parts);
/* Adds lists and events. */
int pq_plan_lists(struct pq_planner *planner);
/* Adds what the plan gives: for each root a value, or one for each core PMU. */
int pq_plan_results(struct pq_planner *planner);

/* The event of that name; adds it. */
int pq_plan_need(struct pq_planner *planner, struct pmuq_str name, const struct pq_metric *metric,
		 size_t *ret);
/* Its event string with more modifiers. */
void pq_plan_print_event(enum pmuq_dialect dialect, const struct pq_needed *need,
			 struct pmuq_str modifiers, struct pq_buf *ret);
/* Whether the machine has the event. */
int pq_plan_has_event(struct pq_planner *planner, struct pmuq_str name, bool *ret);
/* The value of a literal; NaN if it is not known. */
int pq_plan_literal(struct pq_planner *planner, struct pmuq_str name, double *ret);
/* The fact cpuid; "" if it is not known. */
int pq_plan_cpuid(struct pq_planner *planner, const char **ret);

/* Ends with an error of one metric: it is kept at `keep`, and 0 is returned, but in perf's dialect,
 * and if this process has run out of something, the call fails. */
int pq_plan_keep_error(struct pq_planner *planner, int r, struct pmuq_error *error,
		       struct pmuq_error **keep);
