/* SPDX-License-Identifier: MIT */
/*
 * The half of a root (root.h) that is in files: by descriptors, for root.c alone. What is answered
 * is what root.h says.
 */
#ifndef PQ_FILES_H
#define PQ_FILES_H

#include "discover/files/root.h"

/* As a root judges an errno, which it remembers; of what this process lacks, see pq_root_lack(). */
int pq_files_judge(struct pq_root *root, int errnum);

int pq_files_enter(struct pq_root *root, int dir, const char *path, int *ret_fd);
int pq_files_enter_at(struct pq_root *root, int dir, const char *name, bool follow, int *ret_fd);

int pq_files_read(struct pq_root *root, int dir, const char *path, enum pq_within within,
		  size_t max_bytes, struct pmuq_str *ret);
int pq_files_read_head(struct pq_root *root, int dir, const char *path, struct pmuq_str *ret);
int pq_files_read_listed(struct pq_root *root, int dir, const char *name, struct pmuq_str *ret);
int pq_files_read_in(struct pq_root *root, int dir, const char *path, struct pmuq_str *ret);

enum pq_kind pq_files_kind(struct pq_root *root, int dir, const char *path);
/* files_list.c. The entries are added behind the *n that there are. */
int pq_files_list(struct pq_root *root, int dir, struct pq_arena *arena, size_t *n);
/* False when out of memory. */
bool pq_root_add_entry(struct pq_root *root, size_t n, struct pq_entry entry);

#endif
