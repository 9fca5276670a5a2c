/* SPDX-License-Identifier: MIT */
/*
 * The directory that an import reads, which is not trusted: no link leads out of it, only regular
 * files are opened, nothing blocks, and the bytes are limited. Errors name the file, and the line
 * and column of a wrong text.
 */
#pragma once

#include "core/arena.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/vec.h"

/*
 * The first error of an import sticks here: it is in *reterr, and its code in r. After it, all
 * functions that read or save do nothing and return an empty value, so that a walker needs no check
 * between its steps; the transaction is rolled back at the end.
 */
struct pq_vendor_tree {
	int r;
	struct pmuq_error **reterr; /* of the caller of the API; may be NULL */
	struct pmuq_str dir;	    /* as the caller wrote it */
	int fd;			    /* of the directory; -1 if there is none: libpfm4 */
	char *buf;		    /* the last file that was read */
	size_t capacity;
	uint64_t n_bytes, n_files; /* read so far */
	uint64_t inherited_bytes;  /* of texts that events took from standard events so far */
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

/* The caller has set reterr. `dir` must live as long as the tree, which must be closed, also after
 * an error. */
void pq_vendor_tree_open(struct pq_vendor_tree *tree, const char *dir);
void pq_vendor_tree_close(struct pq_vendor_tree *tree);

/* The path begins at the tree's directory ("" is the directory) and ends with a NUL. Names that
 * begin with a dot are omitted; a directory that does not exist has no entries. */
struct pq_vendor_entries pq_vendor_list(struct pq_vendor_tree *tree, struct pmuq_str path,
					struct pq_arena *arena);
/* False if the file does not exist, and after an error, such as a path to another type of file. */
bool pq_vendor_read(struct pq_vendor_tree *tree, struct pmuq_str path, struct pq_vendor_file *ret);

/* "a" and "b" become "a/b", in the arena; one alone if the other is empty. "" after an error. */
struct pmuq_str pq_vendor_path(struct pq_vendor_tree *tree, struct pq_arena *arena,
			       struct pmuq_str a, struct pmuq_str b);

/* Each sets the error unless there is one: about the tree (path "") or a path in it, about bytes of
 * a file, and when there is no memory. */
void pq_vendor_fail(struct pq_vendor_tree *tree, struct pmuq_str path, enum pmuq_code code,
		    const char *format, ...) PQ_PRINTF(4, 5);
void pq_vendor_fail_at(struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
		       size_t offset, size_t length, const char *format, ...) PQ_PRINTF(5, 6);
void pq_vendor_fail_memory(struct pq_vendor_tree *tree);
/* Adds the bytes of a file to an error that has been set. */
void pq_vendor_error_at(const struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
			size_t offset, size_t length);
