/* SPDX-License-Identifier: MIT */
/* The imports of vendors' tables that a store contains. All functions are work in a transaction:
 * their errors stick in the store (db/db.h). */
#pragma once

#include "db/statement.h"

/* All imports by name, or (id not 0) one; the caller frees the list, after an error, too. NULL if
 * there is no memory. */
struct pmuq_vendors *pq_vendor_list_read(struct pmuq_store *store, int64_t id);
/* -PMUQ_E_UNKNOWN_VENDOR, with the existing names. */
void pq_vendor_fail_unknown(struct pmuq_store *store, struct pmuq_str name);
