/* SPDX-License-Identifier: MIT */
/*
 * The directory that an import reads, which is not trusted: no link leads out of it, only regular
 * files are opened, nothing blocks, and the bytes are limited. Errors name the file, and the line
 * and column of a wrong text.
 */
#ifndef PQ_VENDOR_FILES_H
#define PQ_VENDOR_FILES_H

#include "core/arena.h"
#include "core/error.h"
#include "core/vec.h"

#define PQ_VENDOR_FILE_MAX_BYTES ((size_t)16 << 20)
#define PQ_VENDOR_TREE_MAX_BYTES ((size_t)1 << 30)
#define PQ_VENDOR_TREE_MAX_FILES 100000u

struct pq_vendor_tree {
	struct pmuq_str dir; /* as the caller wrote it */
	int fd;
	char *buf; /* the last file that was read */
	size_t capacity;
	uint64_t n_bytes, n_files; /* read so far */
};

struct pq_vendor_file {
	struct pmuq_str path; /* from the tree's directory; the caller's */
	struct pmuq_str text; /* lives until the next file is read; a NUL follows it */
};

struct pq_vendor_entry {
	struct pmuq_str name; /* a NUL follows it */
	bool is_dir;
};

struct pq_vendor_entries {
	PQ_VEC(struct pq_vendor_entry);
};

int pq_vendor_tree_open(struct pq_vendor_tree *tree, const char *dir, struct pmuq_error **reterr);
void pq_vendor_tree_close(struct pq_vendor_tree *tree);

/* The path is from the tree's directory ("" is the directory) and ends with a NUL. PQ_NONE if there
 * is no such directory or file. */
int pq_vendor_list(struct pq_vendor_tree *tree, struct pmuq_str path, struct pq_arena *arena,
		   struct pq_vendor_entries *ret, struct pmuq_error **reterr);
int pq_vendor_read(struct pq_vendor_tree *tree, struct pmuq_str path, struct pq_vendor_file *ret,
		   struct pmuq_error **reterr);

/* "a" and "b" become "a/b", in the arena; one alone if the other is empty. */
struct pmuq_str pq_vendor_path(struct pq_arena *arena, struct pmuq_str a, struct pmuq_str b);

/* The location of a byte, both numbers from 1. */
struct pq_vendor_location {
	size_t line, column;
	struct pmuq_str text; /* of the line */
};
struct pq_vendor_location pq_vendor_location(const struct pq_vendor_file *file, size_t offset);

/* An error about the tree (path "") or a path in it; and one about bytes of a file. */
int pq_vendor_fail(const struct pq_vendor_tree *tree, struct pmuq_str path, enum pmuq_code code,
		   struct pmuq_error **reterr, const char *format, ...) PQ_PRINTF(5, 6);
int pq_vendor_fail_at(const struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
		      size_t offset, size_t length, struct pmuq_error **reterr, const char *format,
		      ...) PQ_PRINTF(6, 7);
/* Adds the bytes of a file to an error. */
void pq_vendor_error_at(const struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
			size_t offset, size_t length, struct pmuq_error **reterr);

#endif
