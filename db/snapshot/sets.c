/* SPDX-License-Identifier: MIT */
/*
 * The tables of schemas/schema.sql that hold machines, column by column. What is listed here is
 * inserted, selected and hashed; a column that is missing in one of the three cannot exist. The
 * order of columns is part of the hash: to change it is to change the domain ("…/2").
 */
#include "core/catalog/check.h"
#include "db/snapshot/snapshot.h"

/* ---- PMUs */

static const struct pq_column format_columns[] = {
	{ PQ_COLUMN(struct pmuq_format, name) },
	{ PQ_COLUMN(struct pmuq_format, text) },
};

static const struct pq_column event_columns[] = {
	{ PQ_COLUMN(struct pmuq_event, name) },
	{ PQ_COLUMN(struct pmuq_event, terms) },
	{ PQ_COLUMN(struct pmuq_event, unit) },
	{ PQ_COLUMN(struct pmuq_event, scale) },
	{ PQ_COLUMN(struct pmuq_event, is_per_pkg) },
	{ PQ_COLUMN(struct pmuq_event, is_snapshot) },
	{ PQ_COLUMN(struct pmuq_event, has_unit_file) },
	{ PQ_COLUMN(struct pmuq_event, has_scale_file) },
};

static const struct pq_column pair_columns[] = {
	{ PQ_COLUMN(struct pmuq_pair, name) },
	{ PQ_COLUMN(struct pmuq_pair, text) },
};

const struct pq_set pq_definition_set = {
	.own = { .name = "definition", .owner = "layout_pmu" },
	.domain = "pmuq.definition/1",
	.tables = {
		[PQ_DEFINITION_FORMATS] = {
			.name = "definition_format",
			.owner = "definition",
			PQ_ROWS(struct pmuq_format, format_columns),
		},
		[PQ_DEFINITION_EVENTS] = {
			.name = "definition_event",
			.owner = "definition",
			PQ_ROWS(struct pmuq_event, event_columns),
		},
		[PQ_DEFINITION_CAPS] = {
			.name = "definition_cap",
			.owner = "definition",
			PQ_ROWS(struct pmuq_pair, pair_columns),
		},
	},
};

const struct pq_set pq_attribute_set = {
	.own = { .name = "attribute_set", .owner = "layout_pmu" },
	.domain = "pmuq.attributes/1",
	.tables = { {
		.name = "attribute",
		.owner = "attribute_set",
		PQ_ROWS(struct pmuq_pair, pair_columns),
	} },
};

static const struct pq_column pmu_columns[] = {
	{ PQ_COLUMN(struct pq_pmu_row, name) },
	{ PQ_COLUMN(struct pq_pmu_row, type) },
	{ PQ_COLUMN(struct pq_pmu_row, alias), .is_nullable = true },
	{ PQ_COLUMN(struct pq_pmu_row, cpumask), .is_nullable = true },
	{ PQ_COLUMN(struct pq_pmu_row, cpus), .is_nullable = true },
	{ PQ_COLUMN(struct pq_pmu_row, definition), .set = &pq_definition_set },
	{ PQ_COLUMN(struct pq_pmu_row, attribute_set), .set = &pq_attribute_set },
};

const struct pq_set pq_layout_set = {
	.own = { .name = "layout", .owner = "snapshot" },
	.domain = "pmuq.layout/1",
	.tables = { {
		.name = "layout_pmu",
		.owner = "layout",
		PQ_ROWS(struct pq_pmu_row, pmu_columns),
	} },
};

/* ---- facts, tracepoints, problems */

const struct pq_set pq_fact_set = {
	.own = { .name = "fact_set", .owner = "snapshot" },
	.domain = "pmuq.facts/1",
	.tables = { {
		.name = "fact",
		.owner = "fact_set",
		PQ_ROWS(struct pmuq_pair, pair_columns),
	} },
};

static const struct pq_column tracepoint_columns[] = {
	{ PQ_COLUMN(struct pmuq_tracepoint, subsystem) },
	{ PQ_COLUMN(struct pmuq_tracepoint, name) },
	{ PQ_COLUMN_AS(struct pmuq_tracepoint, id, "number") },
};

const struct pq_set pq_tracepoint_set = {
	.own = { .name = "tracepoint_set", .owner = "snapshot" },
	.domain = "pmuq.tracepoints/1",
	.tables = { {
		.name = "tracepoint",
		.owner = "tracepoint_set",
		PQ_ROWS(struct pmuq_tracepoint, tracepoint_columns),
	} },
};

static const struct pq_column problem_columns[] = {
	{ PQ_COLUMN(struct pmuq_problem, path) },
	{ PQ_COLUMN(struct pmuq_problem, message) },
	{ PQ_COLUMN(struct pmuq_problem, code) },
	{ PQ_COLUMN(struct pmuq_problem, errnum) },
};

const struct pq_set pq_problem_set = {
	.own = { .name = "problem_set", .owner = "snapshot" },
	.domain = "pmuq.problems/1",
	.tables = { {
		.name = "problem",
		.owner = "problem_set",
		PQ_ROWS(struct pmuq_problem, problem_columns),
	} },
};

/* ---- checks */

static const struct pq_column result_columns[] = {
	{ PQ_COLUMN(struct pmuq_open_result, status) },
	{ PQ_COLUMN(struct pmuq_open_result, errnum) },
	{ PQ_COLUMN(struct pmuq_open_result, cpus), .is_nullable = true },
	{ PQ_COLUMN(struct pmuq_open_result, name), .is_nullable = true },
	{ PQ_COLUMN(struct pmuq_open_result, reason), .is_nullable = true },
	{ PQ_COLUMN(struct pmuq_open_result, hint), .is_nullable = true },
	{ PQ_COLUMN(struct pmuq_open_result, change), .is_nullable = true },
};

const struct pq_set pq_open_result_set = {
	.own = {
		.name = "open_result",
		.owner = "checked_event",
		PQ_ROWS(struct pmuq_open_result, result_columns),
	},
	.domain = "pmuq.open-result/1",
};

static const struct pq_column checked_columns[] = {
	{ PQ_COLUMN(struct pq_checked_event, pmu) },
	{ PQ_COLUMN(struct pq_checked_event, event) },
	{ PQ_COLUMN(struct pq_checked_event, is_generic) },
	{ PQ_COLUMN(struct pq_checked_event, open_result), .set = &pq_open_result_set },
};

const struct pq_set pq_check_set = {
	.own = { .name = "check_set", .owner = "snapshot_check" },
	.domain = "pmuq.check/1",
	.tables = { {
		.name = "checked_event",
		.owner = "check_set",
		PQ_ROWS(struct pq_checked_event, checked_columns),
	} },
};

/* ---- snapshots */

/* host_class.c computes the hash. */
const struct pq_set pq_host_class_set = {
	.own = { .name = "host_class", .owner = "snapshot" },
	.domain = "pmuq.host-class/1",
};

static const struct pq_column snapshot_columns[] = {
	{ PQ_COLUMN(struct pq_snapshot_row, host) },
	{ PQ_COLUMN(struct pq_snapshot_row, hash) },
	{ PQ_COLUMN(struct pq_snapshot_row, host_class) },
	{ PQ_COLUMN(struct pq_snapshot_row, layout), .set = &pq_layout_set },
	{ PQ_COLUMN(struct pq_snapshot_row, fact_set), .set = &pq_fact_set },
	{ PQ_COLUMN(struct pq_snapshot_row, tracepoint_set), .set = &pq_tracepoint_set },
	{ PQ_COLUMN(struct pq_snapshot_row, problem_set), .set = &pq_problem_set },
	{ PQ_COLUMN(struct pq_snapshot_row, first_seen) },
	{ PQ_COLUMN(struct pq_snapshot_row, last_seen) },
};

const struct pq_table pq_snapshot_table = {
	.name = "snapshot",
	PQ_ROWS(struct pq_snapshot_row, snapshot_columns),
};

static const struct pq_column own_fact_columns[] = {
	{ PQ_COLUMN(struct pq_own_fact, name) },
	{ PQ_COLUMN(struct pq_own_fact, text) },
	{ PQ_COLUMN(struct pq_own_fact, is_volatile) },
};

const struct pq_table pq_own_fact_table = {
	.name = "snapshot_fact",
	.owner = "snapshot",
	PQ_ROWS(struct pq_own_fact, own_fact_columns),
};
