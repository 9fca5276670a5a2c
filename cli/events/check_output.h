/* SPDX-License-Identifier: MIT */
/* What `pmuq check` passes between its parts: a result with open results and counts. */
#pragma once

#include "cli/events/encode_output.h"

/* Begins with the result, so that the records of event_records.h can read it. */
struct check_result {
	struct result result;		  /* with the open results */
	const struct pmuq_counts *counts; /* NULL: nothing was counted */
	const char *cgroup;		  /* that was named, or NULL */
};

/* A group of the result, by its leader. */
struct check_group {
	size_t leader, members;
	const char *name; /* "" when it has none */
	bool opens;	  /* every member did, in it */
	bool is_counted;  /* the next three are known */
	bool fits;	  /* all members count together; else it was split */
	size_t parts, breaker;
};

/* False when the encoding leads no group. */
bool check_group_of(const struct check_result *check, size_t index, struct check_group *ret);
/* Whether the encoding is a member. */
bool check_is_member(const struct check_result *check, size_t index, size_t leader);
/* Whether it opens, and yet cannot be counted. */
bool check_counts_not(const struct check_result *check, size_t index);

/* check_text.c: a result for people, and the budget of all. */
void check_print(const struct check_result *check, bool is_first);
void check_print_budget(const struct pmuq_budget *budget);

/* check_record.c: rows are struct check_result, the tail is the budget. */
extern const struct document_type check_document;
extern const struct document_type *const check_documents[];
