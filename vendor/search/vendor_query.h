/* SPDX-License-Identifier: MIT */
/* The words of a search as a query of the index: FTS5's in SQLite, a tsquery in PostgreSQL. */
#pragma once

#include "db/statement.h"

/* Whether there is more than punctuation. */
bool pq_vendor_query_has_word(struct pmuq_str words);

/* Adds the query for texts that match in that way. False if there is no memory. */
bool pq_vendor_query_make(const struct pmuq_store *store, struct pmuq_str words,
			  enum pmuq_match match, struct pq_buf *ret);

/* Begins a statement whose rows are the ids of matching texts (pq_one_number), the best first.
 * `ranked` texts are ranked, those with the shortest names, and `most` rows returned. */
void pq_vendor_query_begin(struct pq_stmt *stmt, struct pmuq_store *store, struct pmuq_str query,
			   int64_t ranked, int64_t most);
