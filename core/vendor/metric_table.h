/* SPDX-License-Identifier: MIT */
/* The metrics of one CPU: built once, then immutable. vendor/ loads them; metric/ plans them. */
#pragma once

#include "core/arena.h"
#include "core/error.h"
#include <pmuq/metric.h>

/* The tables that metrics come from. A metric names only metrics of its own table. */
enum pq_metric_table {
	PQ_METRICS_OF_CPU,
	PQ_METRICS_OF_ALL,    /* of every CPU */
	PQ_METRICS_OF_SYSTEM, /* of a system that has a PMU with a matching identifier */
};

struct pq_metric {
	struct pmuq_metric record; /* first: callers see this */
	enum pq_metric_table table;
	int64_t file;		    /* its index among those of its folder */
	struct pmuq_str scale_unit; /* as in the table; its parts are in the record */
};

struct pmuq_metrics {
	struct pq_arena arena;
	struct pmuq_str cpuid;
	struct pq_metric *v; /* CPU, all, systems; in each by PMU, then by name */
	size_t n;
};

/* Sets scale, unit and size of each record. False if there is no memory. */
bool pq_metrics_finish(struct pmuq_metrics *metrics);
