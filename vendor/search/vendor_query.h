/* SPDX-License-Identifier: MIT */
/* The words of a search as a query of the index: FTS5's in SQLite, a tsquery in PostgreSQL. */
#pragma once

#include "vendor/search/vendor_machine.h"

/* PMUs that most events have: they are not searched, and count as nothing. */
#define PQ_VENDOR_COMMON_PMUS "('default_core', 'cpu_core')"

/* Whether there is more than punctuation. */
bool pq_vendor_query_has_word(struct pmuq_str words);

/* Adds the query for texts that match in that way. False if there is no memory. */
bool pq_vendor_query_make(const struct pmuq_store *store, struct pmuq_str words,
			  enum pmuq_match match, struct pq_buf *ret);

/* Whether a text, parameter 2, lists that set of events and metrics: ",12,85,". */
#define PQ_VENDOR_IS_LISTED(set) "?2 LIKE '%,' || " set " || ',%'"

struct pq_vendor_query {
	struct pmuq_str text; /* of pq_vendor_query_make() */
	enum pmuq_match match;
	struct pq_vendor_machine *of; /* only texts of the sets of its CPU; NULL: all texts */
	int64_t most;		      /* rows */
	int64_t ranked;		      /* 0: the texts with the shortest names are the best */
};

/* A text that matches; the PMU lives until the next row. */
struct pq_vendor_match {
	int64_t id;
	struct pmuq_str pmu;
};

/* Begins a statement whose rows are struct pq_vendor_match, the best first.
 * `ranked` texts are ranked, those with the shortest names. */
void pq_vendor_query_begin(struct pq_stmt *stmt, struct pmuq_store *store,
			   const struct pq_vendor_query *query);
