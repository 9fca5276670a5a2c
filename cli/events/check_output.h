/* SPDX-License-Identifier: MIT */
/* What `pmuq check` passes between its parts besides the result of a string. */
#pragma once

#include "cli/events/encode_output.h"

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
bool check_group_of(const struct result *result, size_t index, struct check_group *ret);
/* Whether the encoding is a member. */
bool check_is_member(const struct result *result, size_t index, size_t leader);
/* check_text.c: a result for people; the budget of all. */
extern const struct result_type check_type;
void check_print_budget(const struct pmuq_budget *budget);

/* check_record.c: rows are struct result, the tail is the budget. */
extern const struct document_type check_document;
