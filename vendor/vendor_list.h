/* SPDX-License-Identifier: MIT */
/* The imports of vendors' tables that a store contains. */
#ifndef PQ_VENDOR_LIST_H
#define PQ_VENDOR_LIST_H

#include "db/sqlite/statement.h"

/* The id of an import; PQ_NONE if no import has that name. */
int pq_vendor_find_import(struct pmuq_store *store, struct pmuq_str name, int64_t *ret,
			  struct pmuq_error **reterr);
/* All imports by name, or (id not 0) one. */
int pq_vendor_list_read(struct pmuq_store *store, int64_t id, struct pmuq_vendors **ret,
			struct pmuq_error **reterr);
/* -PMUQ_E_UNKNOWN_VENDOR, with the names that there are. */
int pq_vendor_fail_unknown(struct pmuq_store *store, struct pmuq_str name,
			   struct pmuq_error **reterr);

#endif
