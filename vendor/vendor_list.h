/* SPDX-License-Identifier: MIT */
/* The imports of vendors' tables that a store holds, as an object of the API. */
#ifndef PQ_VENDOR_LIST_H
#define PQ_VENDOR_LIST_H

#include "db/statement.h"

/* All of them by name, or the one with that id. */
int pq_vendors_read(struct pmuq_store *store, int64_t id, struct pmuq_vendors **ret,
		    struct pmuq_error **reterr);
/* -PMUQ_E_UNKNOWN_VENDOR, with the names that there are. */
int pq_vendors_fail_unknown(struct pmuq_store *store, struct pmuq_str name,
			    struct pmuq_error **reterr);

#endif
