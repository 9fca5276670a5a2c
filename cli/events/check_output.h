/* SPDX-License-Identifier: MIT */
/* What `pmuq check` passes between its parts: an answer with what the kernel said and counted. */
#ifndef PQ_CLI_CHECK_H
#define PQ_CLI_CHECK_H

#include "cli/events/encode_output.h"

struct check_answer {
	const struct answer *answer;	  /* its verdicts are those of the events */
	const struct pmuq_counts *counts; /* NULL: nothing was counted */
	const char *cgroup;		  /* that was named, or NULL */
};

/* A group of the answer, by its leader. */
struct check_group {
	size_t leader, members;
	const char *name; /* "" when it has none */
	bool opens;	  /* every member did, in it */
	bool is_counted;  /* the next two are known */
	size_t parts, breaker;
};

/* False when the encoding leads no group. */
bool check_group_of(const struct check_answer *check, size_t index, struct check_group *ret);
/* Whether the encoding is a member. */
bool check_is_member(const struct check_answer *check, size_t index, size_t leader);
/* Whether it opens, and yet cannot be counted. */
bool check_counts_not(const struct check_answer *check, size_t index);

/* check_text.c: an answer for people, and what all of them take. */
void check_print(const struct check_answer *check, bool is_first);
void check_print_budget(const struct pmuq_budget *budget);

/* check_json.c: schemas/check.schema.json. */
void check_write(struct pq_sink *doc, const struct check_answer *check);
void check_write_budget(struct pq_sink *doc, const struct pmuq_budget *budget);

#endif
