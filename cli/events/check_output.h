/* SPDX-License-Identifier: MIT */
/* What the files of `pmuq check` share, besides the result of a string. */
#pragma once

#include "cli/events/encode_output.h"
#include "cli/metrics/metric_results.h"

/* A group of the result, by its leader. */
struct check_group {
	size_t leader, members;
	const char *name; /* "" if the group has no name */
	bool opens;	  /* every member opened in the group */
	bool is_counted;  /* the next three are valid */
	bool fits;	  /* all members count together; otherwise the group was split */
	size_t parts, breaker;
	/* What the counters of its PMUs predict. */
	enum pmuq_fit_status predicts_open, predicts_count;
	const char *reason; /* why not, or what is not known; "" */
	/* Whether the kernel did what is predicted; UNKNOWN: nothing is, or it was not tried. */
	enum pmuq_fit_status agrees;
};

/* check_group.c: false if the encoding does not lead a group. */
bool check_group_of(const struct result *result, size_t index, struct check_group *ret);
/* Whether the encoding is a member of the group. */
bool check_is_member(const struct result *result, size_t index, size_t leader);
/* Whether the encoding at `index` was opened, or counted, with another one of its group. */
bool check_is_opened_with(const struct result *result, size_t index, size_t other);
bool check_is_counted_with(const struct result *result, size_t index, size_t other);

/* check_text.c: a result for people; the budget of all results. */
extern const struct result_type check_type;
void check_print_budget(const struct pmuq_budget *budget);

/* What is known at the end. */
struct check_tail {
	struct pmuq_budget budget;	      /* of all strings together */
	const struct metric_results *metrics; /* of --metric */
};

/* check_record.c: rows are struct result, the tail is struct check_tail. */
extern const struct document_type check_document;
