/* SPDX-License-Identifier: MIT */
/*
 * The directory that vendors' tables are imported from, which nobody vouches for: no link
 * leads out of it, only regular files are opened, nothing blocks, and what is read is bounded.
 * Errors name the file, and where a text is wrong its line and column.
 */
#ifndef PQ_VENDOR_FILES_H
#define PQ_VENDOR_FILES_H

#include "core/arena.h"
#include "core/error.h"

#define PQ_VENDOR_FILE_MAX_BYTES ((size_t)16 << 20)
#define PQ_VENDOR_TREE_MAX_BYTES ((size_t)1 << 30)
#define PQ_VENDOR_TREE_MAX_FILES 100000u

struct pq_vendor_tree {
	struct pmuq_str dir; /* as it was named */
	int fd;
	char *buf; /* of the file that was read last */
	size_t room;
	uint64_t n_bytes, n_files; /* that were read */
};

struct pq_vendor_file {
	struct pmuq_str
		path; /* from the tree's directory; lives as long as what it was made from */
	struct pmuq_str text; /* lives until the next one is read; a NUL stands behind it */
};

struct pq_vendor_entry {
	struct pmuq_str name; /* with a NUL behind it */
	bool is_dir;
};

struct pq_vendor_entries {
	struct pq_vendor_entry *v;
	size_t n;
};

int pq_vendor_tree_open(struct pq_vendor_tree *tree, const char *dir, struct pmuq_error **reterr);
void pq_vendor_tree_close(struct pq_vendor_tree *tree);

/* Both take a path from the tree's directory ("" is itself), with a NUL behind it. A missing one is
 * PQ_NONE. */
int pq_vendor_list(struct pq_vendor_tree *tree, struct pmuq_str path, struct pq_arena *arena,
		   struct pq_vendor_entries *ret, struct pmuq_error **reterr);
int pq_vendor_read(struct pq_vendor_tree *tree, struct pmuq_str path, struct pq_vendor_file *ret,
		   struct pmuq_error **reterr);

/* "a" and "b" as "a/b", in the arena; "a" where there is no b, and the reverse. */
struct pmuq_str pq_vendor_path(struct pq_arena *arena, struct pmuq_str a, struct pmuq_str b);

/* Where a byte of the text stands, both from 1. */
struct pq_vendor_place {
	size_t line, column;
	struct pmuq_str text; /* of the line */
};
struct pq_vendor_place pq_vendor_place(const struct pq_vendor_file *file, size_t offset);

/* A fault of the tree as a whole or of a path; and one at a byte of a file. */
int pq_vendor_fail(const struct pq_vendor_tree *tree, struct pmuq_str path, enum pmuq_code code,
		   struct pmuq_error **reterr, const char *format, ...) PQ_PRINTF(5, 6);
int pq_vendor_fail_at(const struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
		      size_t offset, size_t length, struct pmuq_error **reterr, const char *format,
		      ...) PQ_PRINTF(6, 7);
/* An error that is there is about this byte. */
void pq_vendor_error_at(const struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
			size_t offset, size_t length, struct pmuq_error **reterr);

#endif
