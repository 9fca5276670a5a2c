/* SPDX-License-Identifier: MIT */
/*
 * mapfile.csv: the CPUs that a folder or a file is for. A row contains pattern, version, folder or
 * file, type, and for Intel's hybrid CPUs the role of the core. Comments ('#'), the heading
 * ("Family-model") and empty rows are skipped, and so are further cells.
 */
#pragma once

#include "vendor/import/vendor_files.h"

struct pq_vendor_mapfile_row {
	struct pmuq_str pattern, version, target, type, role;
	size_t offset, target_offset; /* of the pattern and the target, in bytes of the file */
};

struct pq_vendor_mapfile {
	PQ_VEC(struct pq_vendor_mapfile_row);
	struct pq_vendor_file file; /* a copy, which rows point into, and for later errors */
};

/* False if there is no such file, and after an error. Fails if a pattern cannot match CPU IDs of
 * `arch`. */
bool pq_vendor_read_mapfile(struct pq_vendor_tree *tree, struct pmuq_str path, struct pmuq_str arch,
			    struct pq_arena *arena, struct pq_vendor_mapfile *ret);
