/* SPDX-License-Identifier: MIT */
/*
 * The tables of vendors' events, column by column, as db/snapshot/sets.c has those of machines. The
 * descriptions of an event are a content of their own: many CPUs share them, and they are nine
 * tenths of the bytes.
 */
#include "vendor/vendor_sets.h"

static const struct pq_column text_columns[] = {
	{ PQ_COLUMN(struct pq_vendor_draft, pmu) },
	{ PQ_COLUMN(struct pq_vendor_draft, name) },
	{ PQ_COLUMN(struct pq_vendor_draft, topic) },
	{ PQ_COLUMN(struct pq_vendor_draft, description) },
	{ PQ_COLUMN(struct pq_vendor_draft, long_description) },
};

const struct pq_set pq_vendor_text_set = {
	.own = {
		.name = "vendor_text",
		.owner = "vendor_event",
		PQ_ROWS(struct pq_vendor_draft, text_columns),
	},
	.domain = "pmuq.vendor-text/1",
};

static const struct pq_column event_columns[] = {
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, text, "vendor_text"),
	  .set = &pq_vendor_text_set },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.terms, "terms") },
	{ PQ_COLUMN(struct pq_vendor_draft_row, unit), .is_nullable = true },
	{ PQ_COLUMN(struct pq_vendor_draft_row, scale), .is_nullable = true },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.compat, "compat") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.is_per_pkg, "is_per_pkg") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.is_deprecated, "is_deprecated") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.counters, "counters") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.counters_smt_off, "counters_smt_off") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.is_taken_alone, "is_taken_alone") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.latency, "latency") },
	{ PQ_COLUMN(struct pq_vendor_draft_row, row_hash) },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.file, "file") },
};

/* Of an event and a metric of one name the texts are two rows. */
const struct pq_set pq_vendor_metric_text_set = {
	.own = {
		.name = "vendor_text",
		.owner = "vendor_metric",
		PQ_ROWS(struct pq_vendor_draft, text_columns),
	},
	.domain = "pmuq.vendor-metric-text/1",
};

static const struct pq_column metric_columns[] = {
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, text, "vendor_text"),
	  .set = &pq_vendor_metric_text_set },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.expression, "expression") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.groups, "groups") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.scale_unit, "scale_unit") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.threshold, "threshold") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.constraint, "grouping") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.no_group, "no_group") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.default_group, "default_group") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.aggregation, "aggregation") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.shows_events, "shows_events") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.compat, "compat") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.file, "file") },
};

static const struct pq_column file_columns[] = {
	{ PQ_COLUMN(struct pq_vendor_table_file, path) },
	{ PQ_COLUMN(struct pq_vendor_table_file, version) },
};

static const struct pq_column group_columns[] = {
	{ PQ_COLUMN(struct pq_vendor_group, name) },
	{ PQ_COLUMN(struct pq_vendor_group, description) },
};

static const struct pq_column counter_columns[] = {
	{ PQ_COLUMN(struct pq_vendor_counters, pmu) },
	{ PQ_COLUMN(struct pq_vendor_counters, generic) },
	{ PQ_COLUMN(struct pq_vendor_counters, fixed) },
};

static const struct pq_column set_columns[] = {
	{ PQ_COLUMN(struct pq_vendor_set_row, event_hash) },
};

const struct pq_set pq_vendor_event_set = {
	.own = {
		.name = "vendor_set",
		.owner = "vendor_folder",
		PQ_ROWS(struct pq_vendor_set_row, set_columns),
	},
	.domain = "pmuq.vendor-set/4",
	.tables = {
		[PQ_VENDOR_SET_EVENTS] = {
			.name = "vendor_event",
			.owner = "vendor_set",
			PQ_ROWS(struct pq_vendor_draft_row, event_columns),
		},
		[PQ_VENDOR_SET_METRICS] = {
			.name = "vendor_metric",
			.owner = "vendor_set",
			PQ_ROWS(struct pq_vendor_draft_row, metric_columns),
		},
		[PQ_VENDOR_SET_FILES] = {
			.name = "vendor_file",
			.owner = "vendor_set",
			PQ_ROWS(struct pq_vendor_table_file, file_columns),
		},
		[PQ_VENDOR_SET_GROUPS] = {
			.name = "vendor_group",
			.owner = "vendor_set",
			PQ_ROWS(struct pq_vendor_group, group_columns),
		},
		[PQ_VENDOR_SET_COUNTERS] = {
			.name = "vendor_counter",
			.owner = "vendor_set",
			PQ_ROWS(struct pq_vendor_counters, counter_columns),
		},
	},
};

static const struct pq_column vendor_columns[] = {
	{ PQ_COLUMN(struct pq_vendor_row, name) },
	{ PQ_COLUMN(struct pq_vendor_row, directory) },
	{ PQ_COLUMN(struct pq_vendor_row, layout) },
	{ PQ_COLUMN(struct pq_vendor_row, library), .is_nullable = true },
	{ PQ_COLUMN(struct pq_vendor_row, imported) },
};

const struct pq_table pq_vendor_table = {
	.name = "vendor",
	PQ_ROWS(struct pq_vendor_row, vendor_columns),
};

static const struct pq_column folder_columns[] = {
	{ PQ_COLUMN(struct pq_vendor_folder_row, arch) },
	{ PQ_COLUMN(struct pq_vendor_folder_row, path) },
	{ PQ_COLUMN(struct pq_vendor_folder_row, is_system) },
	{ PQ_COLUMN(struct pq_vendor_folder_row, sysfs), .is_nullable = true },
	{ PQ_COLUMN(struct pq_vendor_folder_row, vendor_set), .set = &pq_vendor_event_set },
};

const struct pq_table pq_vendor_folder_table = {
	.name = "vendor_folder",
	.owner = "vendor",
	PQ_ROWS(struct pq_vendor_folder_row, folder_columns),
};

static const struct pq_column cpu_columns[] = {
	{ PQ_COLUMN(struct pq_vendor_cpu_row, arch) },
	{ PQ_COLUMN(struct pq_vendor_cpu_row, pattern) },
	{ PQ_COLUMN(struct pq_vendor_cpu_row, version) },
	{ PQ_COLUMN(struct pq_vendor_cpu_row, type) },
	{ PQ_COLUMN(struct pq_vendor_cpu_row, folder) },
};

const struct pq_table pq_vendor_cpu_table = {
	.name = "vendor_cpu",
	.owner = "vendor",
	PQ_ROWS(struct pq_vendor_cpu_row, cpu_columns),
};

static const struct pq_column problem_columns[] = {
	{ PQ_COLUMN(struct pmuq_problem, path) },
	{ PQ_COLUMN(struct pmuq_problem, line) },
	{ PQ_COLUMN(struct pmuq_problem, message) },
	{ PQ_COLUMN(struct pmuq_problem, code) },
};

const struct pq_table pq_vendor_problem_table = {
	.name = "vendor_problem",
	.owner = "vendor",
	PQ_ROWS(struct pmuq_problem, problem_columns),
};

/* ---- loaded events */

const struct pq_column pq_vendor_event_columns[] = {
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.event.name, "name") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.record.pmu, "pmu") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.event.terms, "terms") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.event.unit, "unit"),
	  .is_nullable = true },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.event.scale, "scale"),
	  .is_nullable = true },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.record.compat, "compat") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.event.is_per_pkg, "is_per_pkg") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.record.is_deprecated,
		       "is_deprecated") },
	/* Not hashed from here on. */
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.record.counters, "counters") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.record.counters_smt_off,
		       "counters_smt_off") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.record.is_taken_alone,
		       "is_taken_alone") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.record.latency, "latency") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.record.topic, "topic") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.record.description, "description") },
	{ PQ_COLUMN_AS(struct pq_vendor_stored_event, event.record.long_description,
		       "long_description") },
	{ PQ_COLUMN(struct pq_vendor_stored_event, row_hash) },
	{ PQ_COLUMN(struct pq_vendor_stored_event, file) },
};

const struct pq_column pq_vendor_hashed_columns[] = {
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.name, "name") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.pmu, "pmu") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.terms, "terms") },
	{ PQ_COLUMN(struct pq_vendor_draft_row, unit) },
	{ PQ_COLUMN(struct pq_vendor_draft_row, scale) },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.compat, "compat") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.is_per_pkg, "is_per_pkg") },
	{ PQ_COLUMN_AS(struct pq_vendor_draft_row, draft.is_deprecated, "is_deprecated") },
};

void pq_vendor_event_hash_begin(struct pq_hasher *hasher)
{
	pq_hash_begin(hasher, STR("pmuq.vendor-events/1"));
}

int64_t pq_vendor_row_hash(const struct pq_column *columns, const void *row)
{
	struct pq_hasher hasher;
	struct pq_hash hash;
	uint64_t number = 0;

	pq_hash_begin(&hasher, STR("pmuq.vendor-event/1"));
	pq_row_hash(columns, PQ_VENDOR_HASHED_COLUMNS, row, &hasher);
	hash = pq_hash_end(&hasher);
	for (size_t i = 0; i < sizeof(number); i++)
		number = number << 8 | hash.bytes[i];
	return (int64_t)number;
}
