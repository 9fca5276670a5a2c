/* SPDX-License-Identifier: MIT */
/*
 * A tree of files in memory, for root.h: all files of a tar; the files that were read during a
 * capture; or marks for what could not be read when a directory was captured. It has no file
 * descriptors, and does not depend on where its bytes come from.
 */
#pragma once

#include "core/arena.h"
#include "core/buf.h"
#include "discover/cache.h"

enum pq_file_type {
	PQ_FILE_NONE, /* it does not exist, or no longer does */
	PQ_FILE_REGULAR,
	PQ_FILE_DIR,
	PQ_FILE_LINK,
	PQ_FILE_OTHER, /* FIFO, device, socket */
};

/* A pointer to a node stays valid until pq_memory_free(). The top has no parent and an empty name.
 */
struct pq_inode {
	struct pmuq_str name; /* NUL-terminated */
	struct pmuq_str text; /* the content of a file; the target of a link */
	struct pq_inode *parent, *first, *last, *next; /* children in the order they were added */
	enum pq_file_type type;
	int ret, errnum; /* ret: 0, or the failure of opening it */
	/* It was read or entered, or that failed. False: only its name was listed, or it is a part
	 * of another path. */
	bool is_known;
};

struct pq_memory {
	struct pq_arena arena;
	struct pq_cache nodes; /* by directory and name */
	struct pq_inode *top;
	size_t n_nodes, nodes_max;
	bool failed; /* out of memory, or too many nodes; it is never cleared */
};

/* False if out of memory. */
bool pq_memory_init(struct pq_memory *memory, size_t max_bytes, size_t max_nodes);
/* Also accepts zeroed memory. */
void pq_memory_free(struct pq_memory *memory);

struct pq_inode *pq_memory_child(const struct pq_memory *memory, const struct pq_inode *dir,
				 struct pmuq_str name);
/* The node at the end of a path without "..". If it or a directory above it does not exist, it is
 * made, as a directory. On failure NULL and memory->failed. */
struct pq_inode *pq_memory_make(struct pq_memory *memory, struct pq_inode *dir,
				struct pmuq_str path);
/* The same as a file with a copy of the text, which replaces the text before. */
struct pq_inode *pq_memory_put(struct pq_memory *memory, struct pq_inode *dir, struct pmuq_str path,
			       struct pmuq_str text);
/* Walks all nodes below top, each directory before its files: the node after `node`, which is top
 * at first; NULL after the last. */
struct pq_inode *pq_memory_next(const struct pq_inode *top, struct pq_inode *node);
/* Appends the path, "sys/bus". */
void pq_memory_path(const struct pq_inode *node, struct pq_buf *ret);

enum pq_within {
	PQ_WITHIN_ROOT,	    /* follow symbolic links, as if the root were "/" */
	PQ_WITHIN_NO_LINKS, /* refuse a path that has a symbolic link in it */
};

/* The node at the end of the path; the last part is followed only with PQ_WITHIN_ROOT. 0, PQ_NONE,
 * or a failure as in root.h, with its errno. */
int pq_memory_resolve(const struct pq_memory *memory, struct pq_inode *dir, struct pmuq_str path,
		      enum pq_within within, struct pq_inode **ret, int *ret_errnum);
