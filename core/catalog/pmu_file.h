/* SPDX-License-Identifier: MIT */
/*
 * THE table of the files of a PMU's directory that have a meaning: discover/ and document/ read
 * where a file is stored, diff/ how to judge a new value; through pmuq_pmu_file_at() the command
 * reads columns, headings and help. A file without a row is stored as an attribute, or as a cap if
 * it is in caps/.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/catalog/change_rule.h"
#include <pmuq/catalog.h>

/* Where the content is stored. */
enum pq_file_storage {
	PQ_STORED_ATTRIBUTE, /* in pmu->attributes */
	PQ_STORED_CAP,	     /* among the caps of the definition */
	PQ_STORED_MEMBER,    /* in a member of struct pmuq_pmu and of struct pq_pmu_draft */
	PQ_STORED_TYPE,	     /* the same, for the number in `type` */
	PQ_STORED_NOWHERE,   /* its content is also in other files */
};

struct pq_pmu_file {
	struct pmuq_pmu_file info;
	enum pq_change_rule rule;
	enum pq_file_storage storage;
	/* PQ_STORED_MEMBER: the offset of the struct pmuq_str; its .p is NULL if the file does not
	 * exist. */
	size_t pmu_offset, draft_offset;
	bool is_watched; /* a new content means another machine to a source that refreshes */
};

/* By index; NULL after the last. */
const struct pq_pmu_file *pq_pmu_file_at(size_t index);
/* The row of a file in the PMU's own directory, or NULL. */
const struct pq_pmu_file *pq_pmu_file_find(struct pmuq_str name);
/* The row of a file in caps/, or NULL. */
const struct pq_pmu_file *pq_pmu_file_find_cap(struct pmuq_str name);
/* Whether a file in the PMU's own directory is stored as an attribute. */
bool pq_pmu_file_is_attribute(struct pmuq_str name);

/* The member of a draft for a PQ_STORED_MEMBER. */
static inline struct pmuq_str *pq_pmu_file_in_draft(const struct pq_pmu_file *file,
						    struct pq_pmu_draft *draft)
{
	return (struct pmuq_str *)((char *)draft + file->draft_offset);
}

static inline const struct pmuq_str *pq_pmu_file_in_pmu(const struct pq_pmu_file *file,
							const struct pmuq_pmu *pmu)
{
	return (const struct pmuq_str *)((const char *)pmu + file->pmu_offset);
}
