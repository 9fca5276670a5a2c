/* SPDX-License-Identifier: MIT */
/* The metrics of one CPU: built once, then immutable, unless they are lazy. vendor/ loads them;
 * metric/ plans them. */
#pragma once

#include "core/arena.h"
#include "core/error.h"
#include "core/map.h"
#include <pmuq/metric.h>

/* The tables that metrics come from. A metric names only metrics of its own table. */
enum pq_metric_table {
	PQ_METRICS_OF_CPU,
	PQ_METRICS_OF_ALL,    /* of every CPU */
	PQ_METRICS_OF_SYSTEM, /* of a system that has a PMU with a matching identifier */
};

/* What names select a metric by. */
struct pq_metric_key {
	struct pmuq_str name, pmu, groups;
	enum pq_metric_table table;
	size_t folder;			/* metrics of one folder have the same number */
	int64_t position;		/* in its folder */
	const struct pq_metric *metric; /* NULL: not read yet */
};

struct pq_metric {
	struct pmuq_metric record; /* first: callers see this */
	const struct pq_metric_key *key;
	int64_t position, file;	    /* file: its index among those of its folder */
	struct pmuq_str scale_unit; /* as in the table; its parts are in the record */
};

/* Reads a metric of a lazy table, so that its key has it. */
struct pq_metric_reader {
	int (*read)(void *arg, size_t index, struct pmuq_error **reterr);
	void *arg; /* in the arena */
};

struct pmuq_metrics {
	struct pq_arena arena;
	struct pmuq_str cpuid;
	struct pq_metric_key *v; /* CPU, all, systems; in each by PMU, then by name */
	size_t n;
	struct pq_map by_name;
	struct pq_metric_reader reader; /* .read NULL: every metric is here */
};

/* The index of the first key of that name, or the number of keys if no key has it. */
size_t pq_metrics_first(const struct pmuq_metrics *metrics, struct pmuq_str name);
/* The metric of a key. Fails only on a lazy table. */
int pq_metrics_find(const struct pmuq_metrics *metrics, size_t index, const struct pq_metric **ret,
		    struct pmuq_error **reterr);
/* Makes the index of the names, once all keys are there. False if there is no memory. */
bool pq_metrics_finish(struct pmuq_metrics *metrics);
/* Sets scale, unit and size of the record. False if there is no memory. */
bool pq_metric_finish(struct pq_arena *arena, struct pq_metric *metric);
