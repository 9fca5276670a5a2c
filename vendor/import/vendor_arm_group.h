/* SPDX-License-Identifier: MIT */
/*
 * The groups in a file of Arm's telemetry-solution: {GROUP: {title, description, KEY: [NAME…]}},
 * where the names are those of events or metrics.
 */
#pragma once

#include "vendor/import/vendor_import.h"

/* The groups of an event or a metric, separated by semicolons. */
struct pq_vendor_group_list {
	struct pmuq_str name;
	struct pq_buf groups;
};

struct pq_vendor_group_lists {
	struct pq_vendor_group_list *v;
	size_t n;
	struct pq_map by_name;
};

/* Everything lives in the arena. `groups` may be NULL. */
void pq_vendor_read_groups(struct pq_vendor_tree *tree, struct pq_arena *arena,
			   const struct pq_json_value *groups, const char *key,
			   struct pq_vendor_group_lists *ret);
/* The groups of a name, or "". */
struct pmuq_str pq_vendor_groups_of(const struct pq_vendor_group_lists *lists,
				    struct pmuq_str name);
/* Adds what the groups are for. */
void pq_vendor_describe_groups(struct pq_vendor_import *import, const struct pq_json_value *groups,
			       struct pq_vendor_drafts *drafts);

/* Arm's descriptions have paragraphs; those of other vendors are one line. */
struct pmuq_str pq_vendor_one_line(struct pq_vendor_tree *tree, struct pq_arena *arena,
				   struct pmuq_str text);
