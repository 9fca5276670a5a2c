/* SPDX-License-Identifier: MIT */
/*
 * A tree of files in memory, behind root.h: all that a tar holds; what was read while a machine is
 * captured; or, beside a captured directory, the marks that stand for what could not be read there.
 * Holds no descriptor, and knows nothing of where its bytes come from.
 */
#ifndef PQ_MEMORY_H
#define PQ_MEMORY_H

#include "core/arena.h"
#include "core/buf.h"
#include "discover/lazy/lazy_cache.h"

enum pq_kind {
	PQ_KIND_NONE, /* nothing there (any more), or nothing that may be looked at */
	PQ_KIND_FILE,
	PQ_KIND_DIR,
	PQ_KIND_LINK,
	PQ_KIND_OTHER, /* FIFO, device, socket */
};

struct pq_node {
	struct pmuq_str name; /* with a NUL behind it */
	struct pmuq_str text; /* what a file holds; where a link leads to */
	struct pq_node *parent, *first, *last, *next;
	enum pq_kind kind;
	int ret, errnum; /* what opening it answers, if that is not 0 */
	/* It was read or entered, or cannot be: more than a name that was listed, or a step of
	 * somebody's path. */
	bool is_known;
};

struct pq_memory {
	struct pq_arena arena;
	struct pq_cache nodes; /* by directory and name */
	struct pq_node *top;
	size_t n_nodes, nodes_max;
	bool failed; /* out of memory, or too many nodes */
};

/* Zeroed memory is fine to free. False when out of memory. */
bool pq_memory_init(struct pq_memory *memory, size_t max_bytes, size_t max_nodes);
void pq_memory_free(struct pq_memory *memory);

struct pq_node *pq_memory_child(const struct pq_memory *memory, const struct pq_node *dir,
				struct pmuq_str name);
/* The node at the end of a path without ".."; it, and the directories that lead there, are made if
 * they are not there yet, as directories. NULL, and memory->failed, when that fails. */
struct pq_node *pq_memory_make(struct pq_memory *memory, struct pq_node *dir, struct pmuq_str path);
/* A file that holds a copy of the text. */
struct pq_node *pq_memory_put(struct pq_memory *memory, struct pq_node *dir, struct pmuq_str path,
			      struct pmuq_str text);
/* The node after `node` (which is top at first) among all below top, a directory before what is in
 * it; NULL after the last. */
struct pq_node *pq_memory_next(const struct pq_node *top, struct pq_node *node);
/* "sys/bus", added to `ret`. */
void pq_memory_path(const struct pq_node *node, struct pq_buf *ret);

enum pq_within {
	PQ_WITHIN_ROOT,	    /* links are followed as if the root were "/" */
	PQ_WITHIN_NO_LINKS, /* no part of the path may be a link */
};

/* What is at the end of the path; its last part is followed only within the root. 0, PQ_NONE, or a
 * failure as root.h has them, with its errno. */
int pq_memory_look(const struct pq_memory *memory, struct pq_node *dir, struct pmuq_str path,
		   enum pq_within within, struct pq_node **ret, int *ret_errnum);

#endif
