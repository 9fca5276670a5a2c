/* SPDX-License-Identifier: MIT */
/* Where the events and metrics of a set come from: their files, and the versions of those. */
#pragma once

#include "db/db.h"
#include "db/statement.h"
#include "vendor/import/vendor_event.h"

struct pq_vendor_origin {
	const struct pq_vendor_table_file *files;
	size_t n;
};

/* The paths become "ARCH/FOLDER/FILE", and a file without a version gets that of the table, or "".
 * The texts live in the arena. */
void pq_vendor_load_origin(struct pmuq_store *store, int64_t vendor_set, struct pmuq_str folder,
			   struct pmuq_str version, struct pq_arena *arena,
			   struct pq_vendor_origin *ret);
/* The file at that index; one without texts after an error, such as an index without a file. */
struct pq_vendor_table_file pq_vendor_origin_file(struct pmuq_store *store,
						  const struct pq_vendor_origin *origin,
						  int64_t index);
