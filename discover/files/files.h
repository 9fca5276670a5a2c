/* SPDX-License-Identifier: MIT */
/*
 * The files of a root (root.h) that are in a file system, by file descriptors. root.c alone
 * uses them. Return values are those of root.h. `dir` is a descriptor, which may be opened with
 * O_PATH; the caller closes *ret_fd. Every open counts in *root->opens.
 */
#pragma once

#include "discover/files/root.h"

/* The return value for an errno, which the root remembers. */
int pq_files_fail(struct pq_root *root, int errnum);

/* As pq_root_enter(). */
int pq_files_enter(struct pq_root *root, int dir, const char *path, enum pq_within within,
		   int *ret_fd);
/* As pq_root_read(), pq_root_read_at() and, with max_bytes 0, pq_root_read_head(). */
int pq_files_read(struct pq_root *root, int dir, const char *path, enum pq_known_path known,
		  size_t max_bytes, struct pmuq_str *ret);

/* files_list.c: the type of the last part of the path, which is not followed. */
enum pq_file_type pq_files_type(struct pq_root *root, int dir, const char *path);
/* Appends the entries of a directory to root->entries. */
int pq_files_list(struct pq_root *root, int dir, struct pq_arena *arena);
