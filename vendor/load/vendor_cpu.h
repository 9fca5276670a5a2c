/* SPDX-License-Identifier: MIT */
/*
 * Finds the tables of a CPU: those of the folder whose pattern is the first to match, of the latest
 * import that has one.
 */
#pragma once

#include "db/db.h"

/* A row of the imported mapfiles, with its import and folder. */
struct pq_vendor_cpu {
	int64_t vendor, vendor_set;
	int64_t position; /* of the folder in the import; other folders can have its path */
	struct pmuq_str arch, pattern, version, import, folder;
};

/* The folders of such a row: its own, and those of the systems of its architecture. Parameters: its
 * vendor, arch and position. */
#define PQ_VENDOR_FOLDERS_OF_CPU                                                                   \
	"vendor_folder WHERE vendor = ?1 AND arch = ?2 AND (is_system = 1 OR position = ?3)"

/* Its texts live in the arena. False if no pattern matches, and after an error: *ret is a row of
 * empty texts then. */
bool pq_vendor_find_cpu(struct pmuq_store *store, struct pmuq_str cpuid, struct pq_arena *arena,
			struct pq_vendor_cpu *ret);
/* The same; fails if no pattern matches, and names the nearest. */
void pq_vendor_need_cpu(struct pmuq_store *store, struct pmuq_str cpuid, struct pq_arena *arena,
			struct pq_vendor_cpu *ret);
