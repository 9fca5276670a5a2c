/* SPDX-License-Identifier: MIT */
/* The index of vendors' texts, a table of FTS5: only if the SQLite that was loaded has FTS5. The
 * functions are work in a transaction; the first two do nothing without FTS5. */
#pragma once

#include "db/statement.h"

/* Adds new texts to the index; it is created if it does not exist. */
void pq_vendor_index(struct pmuq_store *store);
/* Removes texts that no event refers to; the texts must still exist. */
void pq_vendor_unindex(struct pmuq_store *store);
/* Fails with -PMUQ_E_NO_SEARCH unless all texts are in the index. False after an error, and if
 * nothing was imported. */
bool pq_vendor_index_is_filled(struct pmuq_store *store);
