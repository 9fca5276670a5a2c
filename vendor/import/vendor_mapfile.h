/* SPDX-License-Identifier: MIT */
/*
 * mapfile.csv: which CPUs a folder or file is for. A row is pattern, version, folder or file, type,
 * and for Intel's hybrid CPUs the role of the core. Rows of '#', headings ("Family-model") and
 * empty ones are passed over; what else is in a row is left out.
 */
#ifndef PQ_VENDOR_MAPFILE_H
#define PQ_VENDOR_MAPFILE_H

#include "vendor/import/vendor_files.h"

struct pq_vendor_row {
	struct pmuq_str pattern, version, target, type, role;
	size_t offset, target_offset; /* of the pattern and the target */
};

struct pq_vendor_rows {
	struct pq_vendor_file file; /* a copy: errors may come later */
	struct pq_vendor_row *v;
	size_t n;
};

/* PQ_NONE when there is no such file. Every pattern compiles as the CPU IDs of `arch` are matched.
 */
int pq_vendor_read_mapfile(struct pq_vendor_tree *tree, struct pmuq_str path, struct pmuq_str arch,
			   struct pq_arena *arena, struct pq_vendor_rows *ret,
			   struct pmuq_error **reterr);

/* vendor_match.c: whether a pattern of that architecture is for the CPU, as perf has it. */
int pq_vendor_matches(struct pmuq_str arch, struct pmuq_str pattern, struct pmuq_str cpuid,
		      bool *ret, struct pmuq_error **reterr);
/* Whether the pattern can be matched at all: 0, -PMUQ_E_BAD_REGEX, -PMUQ_E_MEMORY. */
int pq_vendor_check_pattern(struct pmuq_str arch, struct pmuq_str pattern,
			    struct pmuq_error **reterr);

#endif
